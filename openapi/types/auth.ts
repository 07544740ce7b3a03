// Generated from auth.yaml by `npm run generate`: change the contract, not this file.

export interface paths {
    "/customers/auth/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account
         * @description Creates the user and the profile. Does not sign in and sends no mail. 503 `SERVICE_UNAVAILABLE` while sign-up is off (`SIGN_UP=off`).
         */
        post: operations["customerSignUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account
         * @description Creates the user and the profile. Does not sign in and sends no mail. 503 `SERVICE_UNAVAILABLE` while sign-up is off (`SIGN_UP=off`).
         */
        post: operations["employeeSignUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an administrator with the role ADMIN
         * @description While the platform has no ADMIN, the first one registers without a token, with an e-mail of an allowed domain; of
         *     concurrent requests, one succeeds. Afterwards an ADMIN's access token is required. The roles OPERATOR and ARBITER
         *     are assigned to existing users by an ADMIN (`POST /users/{id}/platform-role`); a `role` in the body is dropped, like every
         *     undeclared field. The new administrator gets a mail, and so does the ADMIN who gave the role.
         */
        post: operations["administratorRegister"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signed-in user, profile and session
         * @description The session must be the one of the access token and of the device.
         */
        get: operations["customerMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign out
         * @description Revokes both tokens at once. The session itself remains for the next sign-in from this device.
         */
        get: operations["customerSignOut"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/refresh/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Exchange the refresh token for a new pair
         * @description The refresh token is read from the cookie, or else from the Authorization header. Of several cookies with the name,
         *     the token of the session in `X-Session-Id` is read; any other operation with such tokens of two sessions returns
         *     `TOKEN_INVALID`. Each token is valid once: of
         *     concurrent requests with the same token, one returns the new pair, the others return `REFRESH_TOKEN_SUPERSEDED`,
         *     and the session continues.
         *     After a 503, or without a response, repeat the request: the token is still valid, unless it was exchanged
         *     nevertheless. Then the user has to sign in again.
         */
        get: operations["customerRefreshToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who is signed in
         * @description For a server that renders pages. The refresh token is read from the cookie, or else from the Authorization header. The
         *     request exchanges and revokes nothing and sets no cookie. A token that has just been exchanged is valid for some seconds.
         */
        get: operations["customerReadSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the user's signed-in sessions
         * @description A session is a device of the user. Sessions without valid tokens are not listed.
         */
        get: operations["customerListSessions"];
        put?: never;
        post?: never;
        /**
         * End all other sessions of the user
         * @description Revokes the tokens of all sessions but the caller's, whose tokens remain valid. The audit log records how many sessions have ended.
         */
        delete: operations["customerEndOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session of the user
         * @description Revokes its tokens at once, and is recorded in the audit log. The caller's own session can be ended too, which is a sign-out and not recorded.
         */
        delete: operations["customerEndSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signed-in user, profile and session
         * @description The session must be the one of the access token and of the device.
         */
        get: operations["employeeMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign out
         * @description Revokes both tokens at once. The session itself remains for the next sign-in from this device.
         */
        get: operations["employeeSignOut"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/refresh/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Exchange the refresh token for a new pair
         * @description The refresh token is read from the cookie, or else from the Authorization header. Of several cookies with the name,
         *     the token of the session in `X-Session-Id` is read; any other operation with such tokens of two sessions returns
         *     `TOKEN_INVALID`. Each token is valid once: of
         *     concurrent requests with the same token, one returns the new pair, the others return `REFRESH_TOKEN_SUPERSEDED`,
         *     and the session continues.
         *     After a 503, or without a response, repeat the request: the token is still valid, unless it was exchanged
         *     nevertheless. Then the user has to sign in again.
         */
        get: operations["employeeRefreshToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who is signed in
         * @description For a server that renders pages. The refresh token is read from the cookie, or else from the Authorization header. The
         *     request exchanges and revokes nothing and sets no cookie. A token that has just been exchanged is valid for some seconds.
         */
        get: operations["employeeReadSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the user's signed-in sessions
         * @description A session is a device of the user. Sessions without valid tokens are not listed.
         */
        get: operations["employeeListSessions"];
        put?: never;
        post?: never;
        /**
         * End all other sessions of the user
         * @description Revokes the tokens of all sessions but the caller's, whose tokens remain valid. The audit log records how many sessions have ended.
         */
        delete: operations["employeeEndOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session of the user
         * @description Revokes its tokens at once, and is recorded in the audit log. The caller's own session can be ended too, which is a sign-out and not recorded.
         */
        delete: operations["employeeEndSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signed-in user, profile and session
         * @description The session must be the one of the access token and of the device.
         */
        get: operations["administratorMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign out
         * @description Revokes both tokens at once. The session itself remains for the next sign-in from this device.
         */
        get: operations["administratorSignOut"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/refresh/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Exchange the refresh token for a new pair
         * @description The refresh token is read from the cookie, or else from the Authorization header. Of several cookies with the name,
         *     the token of the session in `X-Session-Id` is read; any other operation with such tokens of two sessions returns
         *     `TOKEN_INVALID`. Each token is valid once: of
         *     concurrent requests with the same token, one returns the new pair, the others return `REFRESH_TOKEN_SUPERSEDED`,
         *     and the session continues.
         *     After a 503, or without a response, repeat the request: the token is still valid, unless it was exchanged
         *     nevertheless. Then the user has to sign in again.
         */
        get: operations["administratorRefreshToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who is signed in
         * @description For a server that renders pages. The refresh token is read from the cookie, or else from the Authorization header. The
         *     request exchanges and revokes nothing and sets no cookie. A token that has just been exchanged is valid for some seconds.
         */
        get: operations["administratorReadSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the user's signed-in sessions
         * @description A session is a device of the user. Sessions without valid tokens are not listed.
         */
        get: operations["administratorListSessions"];
        put?: never;
        post?: never;
        /**
         * End all other sessions of the user
         * @description Revokes the tokens of all sessions but the caller's, whose tokens remain valid. The audit log records how many sessions have ended.
         */
        delete: operations["administratorEndOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session of the user
         * @description Revokes its tokens at once, and is recorded in the audit log. The caller's own session can be ended too, which is a sign-out and not recorded.
         */
        delete: operations["administratorEndSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the user of an access token of any kind
         * @description For a service that receives tokens of several kinds. `kind` tells which of the three accounts it is.
         */
        get: operations["universalMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the second factor
         * @description The second factor belongs to the user: it is the same for each kind of account that the user has.
         */
        get: operations["customerSecondFactor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Switch the second step on or off
         * @description Switched on, each sign-in with a password or a provider needs one of the user's factors, and so do the operations that name one.
         *     This takes an authenticator app or a passkey. An authenticator app and a platform role that requires a second factor need the
         *     second step, so it cannot be switched off. The response has recovery codes when the second step begins. The user's other sessions
         *     end, and the user is notified by e-mail, unless nothing changes.
         */
        patch: operations["customerSecondFactorChange"];
        trace?: never;
    };
    "/customers/auth/second-factor/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to set up an authenticator app
         * @description Returns a new secret, which has no effect until it is confirmed with a code, in this session and within 600 s. The next call
         *     replaces it, and a change of the password or of the second factors ends it, unless it adds a passkey while no second step
         *     is due.
         */
        post: operations["customerTotpSetUp"];
        /**
         * Switch the authenticator app off
         * @description The user's other sessions end. The recovery codes are removed too when no second step is due any more: it is switched off with the
         *     last factor. The user is notified by e-mail.
         */
        delete: operations["customerTotpRemove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/second-factor/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch the authenticator app on with its first code
         * @description From now on a second step is due. The user's other sessions end. Recovery codes are returned only this once, and only if the user has
         *     none. The user is notified by e-mail.
         */
        post: operations["customerTotpConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the recovery codes
         * @description The previous codes become invalid, and the user's other sessions end. The user is notified by e-mail.
         */
        post: operations["customerRecoveryCodesReplace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the second factor
         * @description The second factor belongs to the user: it is the same for each kind of account that the user has.
         */
        get: operations["employeeSecondFactor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Switch the second step on or off
         * @description Switched on, each sign-in with a password or a provider needs one of the user's factors, and so do the operations that name one.
         *     This takes an authenticator app or a passkey. An authenticator app and a platform role that requires a second factor need the
         *     second step, so it cannot be switched off. The response has recovery codes when the second step begins. The user's other sessions
         *     end, and the user is notified by e-mail, unless nothing changes.
         */
        patch: operations["employeeSecondFactorChange"];
        trace?: never;
    };
    "/employees/auth/second-factor/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to set up an authenticator app
         * @description Returns a new secret, which has no effect until it is confirmed with a code, in this session and within 600 s. The next call
         *     replaces it, and a change of the password or of the second factors ends it, unless it adds a passkey while no second step
         *     is due.
         */
        post: operations["employeeTotpSetUp"];
        /**
         * Switch the authenticator app off
         * @description The user's other sessions end. The recovery codes are removed too when no second step is due any more: it is switched off with the
         *     last factor. The user is notified by e-mail.
         */
        delete: operations["employeeTotpRemove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/second-factor/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch the authenticator app on with its first code
         * @description From now on a second step is due. The user's other sessions end. Recovery codes are returned only this once, and only if the user has
         *     none. The user is notified by e-mail.
         */
        post: operations["employeeTotpConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the recovery codes
         * @description The previous codes become invalid, and the user's other sessions end. The user is notified by e-mail.
         */
        post: operations["employeeRecoveryCodesReplace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the second factor
         * @description The second factor belongs to the user: it is the same for each kind of account that the user has.
         */
        get: operations["administratorSecondFactor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Switch the second step on or off
         * @description Switched on, each sign-in with a password or a provider needs one of the user's factors, and so do the operations that name one.
         *     This takes an authenticator app or a passkey. An authenticator app and a platform role that requires a second factor need the
         *     second step, so it cannot be switched off. The response has recovery codes when the second step begins. The user's other sessions
         *     end, and the user is notified by e-mail, unless nothing changes.
         */
        patch: operations["administratorSecondFactorChange"];
        trace?: never;
    };
    "/auth/admin/second-factor/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to set up an authenticator app
         * @description Returns a new secret, which has no effect until it is confirmed with a code, in this session and within 600 s. The next call
         *     replaces it, and a change of the password or of the second factors ends it, unless it adds a passkey while no second step
         *     is due.
         */
        post: operations["administratorTotpSetUp"];
        /**
         * Switch the authenticator app off
         * @description The user's other sessions end. The recovery codes are removed too when no second step is due any more: it is switched off with the
         *     last factor. The user is notified by e-mail.
         */
        delete: operations["administratorTotpRemove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/second-factor/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch the authenticator app on with its first code
         * @description From now on a second step is due. The user's other sessions end. Recovery codes are returned only this once, and only if the user has
         *     none. The user is notified by e-mail.
         */
        post: operations["administratorTotpConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the recovery codes
         * @description The previous codes become invalid, and the user's other sessions end. The user is notified by e-mail.
         */
        post: operations["administratorRecoveryCodesReplace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/second-factor/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get options to confirm an operation with a passkey
         * @description The authenticator's response is `passkey` of the operation to confirm. The options are valid once, for five minutes and for this
         *     session. `ROUTE_NOT_FOUND` where passkeys are not configured.
         */
        post: operations["customerSecondFactorOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get options to create a passkey
         * @description The options are valid once, for five minutes and for this session; a change of the password or of the second factors ends
         *     them, unless it adds a passkey while no second step is due. `ROUTE_NOT_FOUND` where passkeys are not configured.
         */
        post: operations["customerPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a passkey
         * @description The passkey signs in without a password. While a second step is due, it is one of the
         *     factors that prove it, too; it does not make the second step due. The first factor of a user whose platform role requires one counts for
         *     the session, ends the user's other sessions, and comes with recovery codes. The user is notified by e-mail.
         */
        post: operations["customerPasskeyCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/passkeys/{passkeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a passkey
         * @description While a second step is due, this takes one of the user's factors beside the password, and the user's other sessions end. The
         *     second step is switched off with the last factor, and the recovery codes are removed when it is no longer due. The user is notified by
         *     e-mail.
         */
        delete: operations["customerPasskeyDelete"];
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description The name is only for the user.
         */
        patch: operations["customerPasskeyRename"];
        trace?: never;
    };
    "/employees/auth/second-factor/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get options to confirm an operation with a passkey
         * @description The authenticator's response is `passkey` of the operation to confirm. The options are valid once, for five minutes and for this
         *     session. `ROUTE_NOT_FOUND` where passkeys are not configured.
         */
        post: operations["employeeSecondFactorOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get options to create a passkey
         * @description The options are valid once, for five minutes and for this session; a change of the password or of the second factors ends
         *     them, unless it adds a passkey while no second step is due. `ROUTE_NOT_FOUND` where passkeys are not configured.
         */
        post: operations["employeePasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a passkey
         * @description The passkey signs in without a password. While a second step is due, it is one of the
         *     factors that prove it, too; it does not make the second step due. The first factor of a user whose platform role requires one counts for
         *     the session, ends the user's other sessions, and comes with recovery codes. The user is notified by e-mail.
         */
        post: operations["employeePasskeyCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/passkeys/{passkeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a passkey
         * @description While a second step is due, this takes one of the user's factors beside the password, and the user's other sessions end. The
         *     second step is switched off with the last factor, and the recovery codes are removed when it is no longer due. The user is notified by
         *     e-mail.
         */
        delete: operations["employeePasskeyDelete"];
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description The name is only for the user.
         */
        patch: operations["employeePasskeyRename"];
        trace?: never;
    };
    "/auth/admin/second-factor/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get options to confirm an operation with a passkey
         * @description The authenticator's response is `passkey` of the operation to confirm. The options are valid once, for five minutes and for this
         *     session. `ROUTE_NOT_FOUND` where passkeys are not configured.
         */
        post: operations["administratorSecondFactorOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get options to create a passkey
         * @description The options are valid once, for five minutes and for this session; a change of the password or of the second factors ends
         *     them, unless it adds a passkey while no second step is due. `ROUTE_NOT_FOUND` where passkeys are not configured.
         */
        post: operations["administratorPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a passkey
         * @description The passkey signs in without a password. While a second step is due, it is one of the
         *     factors that prove it, too; it does not make the second step due. The first factor of a user whose platform role requires one counts for
         *     the session, ends the user's other sessions, and comes with recovery codes. The user is notified by e-mail.
         */
        post: operations["administratorPasskeyCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/passkeys/{passkeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a passkey
         * @description While a second step is due, this takes one of the user's factors beside the password, and the user's other sessions end. The
         *     second step is switched off with the last factor, and the recovery codes are removed when it is no longer due. The user is notified by
         *     e-mail.
         */
        delete: operations["administratorPasskeyDelete"];
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description The name is only for the user.
         */
        patch: operations["administratorPasskeyRename"];
        trace?: never;
    };
    "/auth/admin/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prove your identity again
         * @description For every platform role. Operations with `x-recent-proof` return 403 `PROOF_REQUIRED` if the sign-in of the session and its
         *     latest proof are older than the platform allows: send a proof, and repeat the request. A proof is valid for this session only.
         *
         *     The body has `currentPassword`, with a factor while a second step is due, or a `passkey` alone (options from
         *     `second-factor/options`), whose authenticator must have verified the user then. Everything that is sent is checked.
         */
        post: operations["administratorProve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/oidc/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the providers of OpenID Connect
         * @description Those that users of this kind can sign in with; none where none is configured.
         */
        get: operations["customerOidcProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/oidc/{provider}/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a sign-in with a provider
         * @description Send the browser to `authorizationUrl`. The provider returns it to the redirect URI, whose whole address is `callbackUrl` of
         *     `sign-in`: once, within ten minutes and on this device.
         */
        post: operations["customerOidcAuthorize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/oidc/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the providers of OpenID Connect
         * @description Those that users of this kind can sign in with; none where none is configured.
         */
        get: operations["employeeOidcProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/oidc/{provider}/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a sign-in with a provider
         * @description Send the browser to `authorizationUrl`. The provider returns it to the redirect URI, whose whole address is `callbackUrl` of
         *     `sign-in`: once, within ten minutes and on this device.
         */
        post: operations["employeeOidcAuthorize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/oidc/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the providers of OpenID Connect
         * @description Those that users of this kind can sign in with; none where none is configured.
         */
        get: operations["administratorOidcProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/oidc/{provider}/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a sign-in with a provider
         * @description Send the browser to `authorizationUrl`. The provider returns it to the redirect URI, whose whole address is `callbackUrl` of
         *     `sign-in`: once, within ten minutes and on this device.
         */
        post: operations["administratorOidcAuthorize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oidc/{provider}/backchannel-logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the sessions of a sign-out at the provider
         * @description For providers: [OpenID Connect Back-Channel Logout 1.0](https://openid.net/specs/openid-connect-backchannel-1_0.html). Ends the
         *     sessions that the provider opened for the `sid`, or for the `sub`, of the token, of every kind.
         */
        post: operations["oidcBackchannelLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the identities of the user
         * @description The accounts at providers that sign in to this account, and whether it has a password.
         */
        get: operations["customerIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/identities/{provider}/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to link an identity
         * @description As `oidc/{provider}/authorize`, for the signed-in user: `callbackUrl` is for `identities/{provider}`, once, within ten minutes and
         *     in this session, unless password or second factors change. An account without a password needs a second factor, or a sign-in within the last five minutes.
         */
        post: operations["customerIdentityAuthorize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/identities/{identity}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link an identity
         * @description The identity signs in from now on. The user's other sessions end. The user is notified by e-mail. An identity that the user has
         *     already is returned unchanged.
         */
        post: operations["customerIdentityLink"];
        /**
         * Unlink an identity
         * @description It no longer signs in. The user's other sessions end. The user is notified by e-mail.
         */
        delete: operations["customerIdentityUnlink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the identities of the user
         * @description The accounts at providers that sign in to this account, and whether it has a password.
         */
        get: operations["employeeIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/identities/{provider}/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to link an identity
         * @description As `oidc/{provider}/authorize`, for the signed-in user: `callbackUrl` is for `identities/{provider}`, once, within ten minutes and
         *     in this session, unless password or second factors change. An account without a password needs a second factor, or a sign-in within the last five minutes.
         */
        post: operations["employeeIdentityAuthorize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/identities/{identity}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link an identity
         * @description The identity signs in from now on. The user's other sessions end. The user is notified by e-mail. An identity that the user has
         *     already is returned unchanged.
         */
        post: operations["employeeIdentityLink"];
        /**
         * Unlink an identity
         * @description It no longer signs in. The user's other sessions end. The user is notified by e-mail.
         */
        delete: operations["employeeIdentityUnlink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the identities of the user
         * @description The accounts at providers that sign in to this account, and whether it has a password.
         */
        get: operations["administratorIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/identities/{provider}/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to link an identity
         * @description As `oidc/{provider}/authorize`, for the signed-in user: `callbackUrl` is for `identities/{provider}`, once, within ten minutes and
         *     in this session, unless password or second factors change. An account without a password needs a second factor, or a sign-in within the last five minutes.
         */
        post: operations["administratorIdentityAuthorize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/identities/{identity}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link an identity
         * @description The identity signs in from now on. The user's other sessions end. The user is notified by e-mail. An identity that the user has
         *     already is returned unchanged.
         */
        post: operations["administratorIdentityLink"];
        /**
         * Unlink an identity
         * @description It no longer signs in. The user's other sessions end. The user is notified by e-mail.
         */
        delete: operations["administratorIdentityUnlink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/sign-in/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ways to sign in
         * @description All that a sign-in page has to know. The response may be stored for a minute.
         */
        get: operations["customerSignInMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in on a device
         * @description A second sign-in with the same fingerprint keeps the session and revokes its earlier tokens.
         *     An unknown e-mail, a wrong password and an account of another kind have the same response and response time.
         *     An account with a second factor gets 401 `SECOND_FACTOR_REQUIRED` for the correct password: finish with `sign-in/second-factor`.
         */
        post: operations["customerSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/sign-in/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a sign-in with the second factor
         * @description After a sign-in that returned `SECOND_FACTOR_REQUIRED`, on the same device: its `challenge`, and one of `totpCode`, `recoveryCode`,
         *     `passkey` and `emailCode`. A challenge is valid once, for five minutes and five attempts. A wrong factor counts as a failed sign-in.
         */
        post: operations["customerSignInSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/sign-in/second-factor/email-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the code for a new device by e-mail
         * @description After a sign-in that returned `SECOND_FACTOR_REQUIRED` with the factor `email-code`: the platform asks for it after the
         *     password on a device that has not signed in to the account before. A new code replaces the previous one.
         */
        post: operations["customerSignInSecondFactorEmailCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/sign-in/email-code/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sign-in code by e-mail
         * @description The response is the same for an unknown e-mail, but no mail is sent. The owner of an account of another kind is mailed,
         *     at most once a day, which kind it is. A new code replaces the previous one.
         */
        post: operations["customerSignInEmailCodeSend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/sign-in/email-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a mailed code
         * @description In place of the password. A second factor is required as after it. On an address that was not verified, the code is the first
         *     proof: it ends sessions, factors and the password that somebody else may have set up.
         */
        post: operations["customerSignInEmailCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/sign-in/second-factor/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get options to finish a sign-in with a passkey
         * @description The authenticator's response is `passkey` of the second step.
         */
        post: operations["customerSignInSecondFactorOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/sign-in/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get options to sign in with a passkey
         * @description They name no account: the authenticator offers its passkeys. Valid once, for five minutes and on this device.
         */
        post: operations["customerSignInPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/sign-in/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description The authenticator verifies the user, so a passkey counts as two factors. The session is that of a sign-in with a password.
         */
        post: operations["customerSignInPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/oidc/{provider}/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a provider
         * @description An identity that is linked to an account signs in. An unknown identity needs an e-mail address that the provider has verified:
         *     it creates an account if none has the address; it is linked to the account with the address if the provider may vouch for its
         *     domain. Second factors are required as after a password.
         */
        post: operations["customerOidcSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/sign-in/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ways to sign in
         * @description All that a sign-in page has to know. The response may be stored for a minute.
         */
        get: operations["employeeSignInMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in on a device
         * @description A second sign-in with the same fingerprint keeps the session and revokes its earlier tokens.
         *     An unknown e-mail, a wrong password and an account of another kind have the same response and response time.
         *     An account with a second factor gets 401 `SECOND_FACTOR_REQUIRED` for the correct password: finish with `sign-in/second-factor`.
         */
        post: operations["employeeSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/sign-in/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a sign-in with the second factor
         * @description After a sign-in that returned `SECOND_FACTOR_REQUIRED`, on the same device: its `challenge`, and one of `totpCode`, `recoveryCode`,
         *     `passkey` and `emailCode`. A challenge is valid once, for five minutes and five attempts. A wrong factor counts as a failed sign-in.
         */
        post: operations["employeeSignInSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/sign-in/second-factor/email-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the code for a new device by e-mail
         * @description After a sign-in that returned `SECOND_FACTOR_REQUIRED` with the factor `email-code`: the platform asks for it after the
         *     password on a device that has not signed in to the account before. A new code replaces the previous one.
         */
        post: operations["employeeSignInSecondFactorEmailCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/sign-in/email-code/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sign-in code by e-mail
         * @description The response is the same for an unknown e-mail, but no mail is sent. The owner of an account of another kind is mailed,
         *     at most once a day, which kind it is. A new code replaces the previous one.
         */
        post: operations["employeeSignInEmailCodeSend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/sign-in/email-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a mailed code
         * @description In place of the password. A second factor is required as after it. On an address that was not verified, the code is the first
         *     proof: it ends sessions, factors and the password that somebody else may have set up.
         */
        post: operations["employeeSignInEmailCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/sign-in/second-factor/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get options to finish a sign-in with a passkey
         * @description The authenticator's response is `passkey` of the second step.
         */
        post: operations["employeeSignInSecondFactorOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/sign-in/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get options to sign in with a passkey
         * @description They name no account: the authenticator offers its passkeys. Valid once, for five minutes and on this device.
         */
        post: operations["employeeSignInPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/sign-in/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description The authenticator verifies the user, so a passkey counts as two factors. The session is that of a sign-in with a password.
         */
        post: operations["employeeSignInPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/oidc/{provider}/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a provider
         * @description An identity that is linked to an account signs in. An unknown identity needs an e-mail address that the provider has verified:
         *     it creates an account if none has the address; it is linked to the account with the address if the provider may vouch for its
         *     domain. Second factors are required as after a password.
         */
        post: operations["employeeOidcSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/sign-in/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ways to sign in
         * @description All that a sign-in page has to know. The response may be stored for a minute.
         */
        get: operations["administratorSignInMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in on a device
         * @description A second sign-in with the same fingerprint keeps the session and revokes its earlier tokens.
         *     An unknown e-mail, a wrong password and an account of another kind have the same response and response time.
         *     An account with a second factor gets 401 `SECOND_FACTOR_REQUIRED` for the correct password: finish with `sign-in/second-factor`.
         */
        post: operations["administratorSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/sign-in/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a sign-in with the second factor
         * @description After a sign-in that returned `SECOND_FACTOR_REQUIRED`, on the same device: its `challenge`, and one of `totpCode`, `recoveryCode`,
         *     `passkey` and `emailCode`. A challenge is valid once, for five minutes and five attempts. A wrong factor counts as a failed sign-in.
         */
        post: operations["administratorSignInSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/sign-in/second-factor/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get options to finish a sign-in with a passkey
         * @description The authenticator's response is `passkey` of the second step.
         */
        post: operations["administratorSignInSecondFactorOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/sign-in/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get options to sign in with a passkey
         * @description They name no account: the authenticator offers its passkeys. Valid once, for five minutes and on this device.
         */
        post: operations["administratorSignInPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/sign-in/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description The authenticator verifies the user, so a passkey counts as two factors. The session is that of a sign-in with a password.
         */
        post: operations["administratorSignInPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/oidc/{provider}/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a provider
         * @description An identity that is linked to an account signs in. An unknown identity needs an e-mail address that the provider has verified:
         *     it creates an account if none has the address; it is linked to the account with the address if the provider may vouch for its
         *     domain. Second factors are required as after a password.
         */
        post: operations["administratorOidcSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/verification/email/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the e-mail is verified
         * @description Reads the current state, so that a page can wait for the verification in another tab.
         */
        get: operations["customerVerificationEmailCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/verification/email/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Send a verification code by e-mail
         * @description A new code replaces the previous one.
         */
        get: operations["customerVerificationEmailCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/verification/email/code/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the e-mail with the code
         * @description The code can be used once; the newest one counts. Ends the user's other sessions, but not the one that requested this
         *     very code: people sign up on one device and read the mail on another. Until the next sign-in, `GET …/sessions` lists at
         *     most these two.
         */
        post: operations["customerVerificationEmailCodeCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/reset-password/email/code/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a password reset code by e-mail
         * @description The response is the same for an unknown e-mail, but no mail is sent. The owner of an account of another kind is mailed,
         *     at most once a day, which kind it is. A new code replaces the previous one.
         */
        post: operations["customerResetPasswordEmailCodeSend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/reset-password/email/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with the code
         * @description Forgets all sessions and devices of the user; does not sign in. The code proves the e-mail address, so it is
         *     marked verified too; the first proof also removes second factors, names and phone number that were set before. The user is notified by e-mail.
         */
        post: operations["customerResetPasswordEmailCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/verification/email/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the e-mail is verified
         * @description Reads the current state, so that a page can wait for the verification in another tab.
         */
        get: operations["employeeVerificationEmailCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/verification/email/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Send a verification code by e-mail
         * @description A new code replaces the previous one.
         */
        get: operations["employeeVerificationEmailCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/verification/email/code/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the e-mail with the code
         * @description The code can be used once; the newest one counts. Ends the user's other sessions, but not the one that requested this
         *     very code: people sign up on one device and read the mail on another. Until the next sign-in, `GET …/sessions` lists at
         *     most these two.
         */
        post: operations["employeeVerificationEmailCodeCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/reset-password/email/code/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a password reset code by e-mail
         * @description The response is the same for an unknown e-mail, but no mail is sent. The owner of an account of another kind is mailed,
         *     at most once a day, which kind it is. A new code replaces the previous one.
         */
        post: operations["employeeResetPasswordEmailCodeSend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/reset-password/email/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with the code
         * @description Forgets all sessions and devices of the user; does not sign in. The code proves the e-mail address, so it is
         *     marked verified too; the first proof also removes second factors, names and phone number that were set before. The user is notified by e-mail.
         */
        post: operations["employeeResetPasswordEmailCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/verification/email/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the e-mail is verified
         * @description Reads the current state, so that a page can wait for the verification in another tab.
         */
        get: operations["administratorVerificationEmailCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/verification/email/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Send a verification code by e-mail
         * @description A new code replaces the previous one.
         */
        get: operations["administratorVerificationEmailCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/verification/email/code/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the e-mail with the code
         * @description The code can be used once; the newest one counts. Ends the user's other sessions, but not the one that requested this
         *     very code: people sign up on one device and read the mail on another. Until the next sign-in, `GET …/sessions` lists at
         *     most these two.
         */
        post: operations["administratorVerificationEmailCodeCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/reset-password/email/code/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a password reset code by e-mail
         * @description The response is the same for an unknown e-mail, but no mail is sent. The owner of an account of another kind is mailed,
         *     at most once a day, which kind it is. A new code replaces the previous one.
         */
        post: operations["administratorResetPasswordEmailCodeSend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/reset-password/email/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with the code
         * @description Forgets all sessions and devices of the user; does not sign in. The code proves the e-mail address, so it is
         *     marked verified too; the first proof also removes second factors, names and phone number that were set before. The user is notified by e-mail.
         */
        post: operations["administratorResetPasswordEmailCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/reset-password/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password
         * @description The session of the refresh token keeps its tokens; those of the user's other sessions are revoked. The user is
         *     notified by e-mail.
         */
        post: operations["customerResetPasswordMe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/email/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the change of the e-mail address that waits for its code
         * @description The response is the same for an address that has an account. A change ends with its code, and with a change of the password or the factors.
         */
        get: operations["customerEmailChangePending"];
        put?: never;
        /**
         * Send a code to a new e-mail address
         * @description The response is the same for an address that has an account: it gets a notice in place of a code. The current address gets a
         *     notice, too. A code for another address can be requested at once; it replaces the previous one.
         */
        post: operations["customerEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/email/change/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the e-mail address with the code
         * @description The new address is verified, and the user's other sessions and devices are forgotten. The former address gets a notice.
         */
        post: operations["customerEmailChangeCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the profile of the user
         * @description Sets the fields that are sent; null clears one, and `{}` changes nothing. The names of the changed fields are recorded in the
         *     audit log. Undeclared fields are dropped, so that a misspelt one, such as `firstname`, changes nothing.
         */
        patch: operations["customerProfileChange"];
        trace?: never;
    };
    "/customers/auth/account/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the data of the user
         * @description What is stored about the user, except secrets and the notes of the back office.
         *     The export has the newest 5,000 records of the audit log. `nextAuditCursor` leads to the next ones: with it as `auditCursor`, the
         *     same request returns these and nothing else. Each request is recorded in the audit log.
         */
        get: operations["customerAccountExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the user's sign-ins and failed ones
         * @description Of every kind of account that the user has, the newest first, for as long as the audit log is kept. Failed ones are recorded up
         *     to twenty times an hour for each `reason`.
         */
        get: operations["customerSignIns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/auth/account/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete the account of the user
         * @description Cannot be undone. Removes tokens, sessions, second factors, profiles and the e-mail address, of each kind of account that the
         *     user has. Projects and teams keep an anonymous owner or member. The address can be used for a new account. The user is
         *     notified by e-mail. A second factor is required while a second step is due.
         */
        post: operations["customerAccountDelete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/reset-password/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password
         * @description The session of the refresh token keeps its tokens; those of the user's other sessions are revoked. The user is
         *     notified by e-mail.
         */
        post: operations["employeeResetPasswordMe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/email/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the change of the e-mail address that waits for its code
         * @description The response is the same for an address that has an account. A change ends with its code, and with a change of the password or the factors.
         */
        get: operations["employeeEmailChangePending"];
        put?: never;
        /**
         * Send a code to a new e-mail address
         * @description The response is the same for an address that has an account: it gets a notice in place of a code. The current address gets a
         *     notice, too. A code for another address can be requested at once; it replaces the previous one.
         */
        post: operations["employeeEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/email/change/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the e-mail address with the code
         * @description The new address is verified, and the user's other sessions and devices are forgotten. The former address gets a notice.
         */
        post: operations["employeeEmailChangeCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the profile of the user
         * @description Sets the fields that are sent; null clears one, and `{}` changes nothing. The names of the changed fields are recorded in the
         *     audit log. Undeclared fields are dropped, so that a misspelt one, such as `firstname`, changes nothing.
         */
        patch: operations["employeeProfileChange"];
        trace?: never;
    };
    "/employees/auth/account/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the data of the user
         * @description What is stored about the user, except secrets and the notes of the back office.
         *     The export has the newest 5,000 records of the audit log. `nextAuditCursor` leads to the next ones: with it as `auditCursor`, the
         *     same request returns these and nothing else. Each request is recorded in the audit log.
         */
        get: operations["employeeAccountExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the user's sign-ins and failed ones
         * @description Of every kind of account that the user has, the newest first, for as long as the audit log is kept. Failed ones are recorded up
         *     to twenty times an hour for each `reason`.
         */
        get: operations["employeeSignIns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/employees/auth/account/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete the account of the user
         * @description Cannot be undone. Removes tokens, sessions, second factors, profiles and the e-mail address, of each kind of account that the
         *     user has. Projects and teams keep an anonymous owner or member. The address can be used for a new account. The user is
         *     notified by e-mail. A second factor is required while a second step is due.
         */
        post: operations["employeeAccountDelete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/reset-password/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password
         * @description The session of the refresh token keeps its tokens; those of the user's other sessions are revoked. The user is
         *     notified by e-mail.
         */
        post: operations["administratorResetPasswordMe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/email/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the change of the e-mail address that waits for its code
         * @description The response is the same for an address that has an account. A change ends with its code, and with a change of the password or the factors.
         */
        get: operations["administratorEmailChangePending"];
        put?: never;
        /**
         * Send a code to a new e-mail address
         * @description The response is the same for an address that has an account: it gets a notice in place of a code. The current address gets a
         *     notice, too. A code for another address can be requested at once; it replaces the previous one.
         */
        post: operations["administratorEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/email/change/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the e-mail address with the code
         * @description The new address is verified, and the user's other sessions and devices are forgotten. The former address gets a notice.
         */
        post: operations["administratorEmailChangeCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/account/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the data of the user
         * @description What is stored about the user, except secrets and the notes of the back office.
         *     The export has the newest 5,000 records of the audit log. `nextAuditCursor` leads to the next ones: with it as `auditCursor`, the
         *     same request returns these and nothing else. Each request is recorded in the audit log.
         */
        get: operations["administratorAccountExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the user's sign-ins and failed ones
         * @description Of every kind of account that the user has, the newest first, for as long as the audit log is kept. Failed ones are recorded up
         *     to twenty times an hour for each `reason`.
         */
        get: operations["administratorSignIns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/account/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete the account of a former administrator
         * @description Who signs in as an administrator holds a platform role, so the response is 409 `PLATFORM_ROLE_TAKEN`: an ADMIN removes the role, and
         *     the account with it (`DELETE /users/{id}/platform-role?erase=true`). 204 only when the role is removed while the request runs.
         */
        post: operations["administratorAccountDelete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the name under which colleagues see the administrator
         * @description For every platform role. The name belongs to the role, and goes with it.
         */
        get: operations["administratorName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the name under which colleagues see the administrator
         * @description The back office shows it wherever it names a colleague who has no name as a customer or an employee. Null clears it. That it was
         *     changed is recorded in the audit log, the name is not.
         */
        patch: operations["administratorNameChange"];
        trace?: never;
    };
    "/auth/admin/invitations/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the code of an invitation
         * @description For the page that asks the invited person for a password. Uses nothing up. The code is in a body, and behind the `#` of the link in
         *     the mail, so that no scanner of mails accepts an invitation.
         */
        post: operations["invitationCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Creates the account with the invited role and a verified address, and signs nobody in. An account that somebody else has made with the
         *     address, and never verified, is taken over: its sessions, factors and identities end, the password is replaced, names and phone
         *     number are cleared, and a customer without projects or an employee without memberships is none any more. The inviter is notified
         *     by e-mail. Of two requests at once, one succeeds.
         */
        post: operations["invitationAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/bot-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a challenge that keeps bots out
         * @description A challenge of [ALTCHA](https://altcha.org) (format 2, PBKDF2 with SHA-256). The solution, as base64 of
         *     `{ challenge, solution }` in JSON, is the header `X-Bot-Check` of the operations that have it; it is good once, for 300 s. A
         *     solver tries 300 counters on average.
         */
        get: operations["botCheckChallenge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        CustomerAuthSignUpDto: components["schemas"]["SignUp"];
        CustomerAuthSignUpResponseDto: {
            user: components["schemas"]["CustomerUser"];
            profile: components["schemas"]["Profile"];
        };
        EmployeeAuthSignUpDto: components["schemas"]["SignUp"];
        EmployeeAuthSignUpResponseDto: {
            user: components["schemas"]["EmployeeUser"];
            profile: components["schemas"]["Profile"];
        };
        SignUp: {
            email: components["schemas"]["NewEmail"];
            password: components["schemas"]["NewPassword"];
            /** @example Ada */
            firstName?: string;
            /** @example Lovelace */
            lastName?: string;
            /**
             * @description In any notation; it is not verified.
             * @example +44 20 7946 0958
             */
            phone?: string;
        };
        /** @description A user as a customer. */
        CustomerUser: {
            id: components["schemas"]["UserId"];
            /** @example customer@example.com */
            email: string;
            isEmailVerified: components["schemas"]["IsEmailVerified"];
            /**
             * @description All roles of the user.
             * @example [
             *       "CUSTOMER"
             *     ]
             */
            roles: components["schemas"]["RoleType"][];
            createdAt: components["schemas"]["Timestamp"];
            customerId: components["schemas"]["ProfileId"];
        };
        /** @description A user as an employee. */
        EmployeeUser: {
            id: components["schemas"]["UserId"];
            /** @example employee@example.com */
            email: string;
            isEmailVerified: components["schemas"]["IsEmailVerified"];
            /**
             * @description All roles of the user.
             * @example [
             *       "EMPLOYEE"
             *     ]
             */
            roles: components["schemas"]["RoleType"][];
            createdAt: components["schemas"]["Timestamp"];
            employeeId: components["schemas"]["ProfileId"];
        };
        /** @description A user as an administrator. */
        AdministratorUser: {
            id: components["schemas"]["UserId"];
            /** @example admin@example.com */
            email: string;
            isEmailVerified: components["schemas"]["IsEmailVerified"];
            /**
             * @description All roles of the user.
             * @example [
             *       "ADMIN"
             *     ]
             */
            roles: components["schemas"]["RoleType"][];
            createdAt: components["schemas"]["Timestamp"];
            /** @description Absent if the user does not hold exactly one platform role any more. */
            platformRole?: components["schemas"]["PlatformRole"];
        };
        AdminAuthRegisterDto: components["schemas"]["Registration"];
        AdminAuthRegisterResponseDto: components["schemas"]["Registered"];
        Registration: {
            email: components["schemas"]["NewEmail"];
            password: components["schemas"]["NewPassword"];
        };
        Registered: {
            id: components["schemas"]["UserId"];
            /** @example new-admin@example.com */
            email: string;
            /** @constant */
            platformRole: "ADMIN";
            createdAt: components["schemas"]["Timestamp"];
        };
        /**
         * Format: email
         * @description Stored and compared in lower case.
         * @example user@example.com
         */
        Email: string;
        /**
         * @description How colleagues see the administrator.
         * @example Grace Hopper
         */
        NewAdministratorName: string | null;
        /**
         * Format: password
         * @description At least 8 characters and at most 72 bytes of UTF-8; never truncated. All characters except NUL and lone surrogates are
         *     allowed. Rejected with 400 `VALIDATION_FAILED`, in any letter case: the most common passwords (unless the platform runs
         *     with `PASSWORD_BLOCKLIST=off`), the account's e-mail address and its part before the `@`; also passwords from data
         *     breaches, where the platform looks them up. A change and a reset also reject
         *     the current password (rule `same-password`), once the current password or the code has proved to be right.
         * @example correct horse battery
         */
        NewPassword: string;
        /**
         * Format: password
         * @description The password that signs in now; left out by an account without one.
         * @example Password123!
         */
        CurrentPassword: string;
        /**
         * @description The six digits of the authenticator app; valid once. A whole number is taken, too, with its leading zeros restored. Invisible
         *     characters do not matter.
         * @example 042917
         */
        TotpCode: string;
        /**
         * @description One of the recovery codes, each valid once. Letter case, spaces, dashes and invisible characters do not matter.
         * @example k3v7w2qpax
         */
        RecoveryCode: string;
        /**
         * @description The current password. For an account without one, a second factor; neither within five minutes after the sign-in.
         * @example {
         *       "currentPassword": "Password123!"
         *     }
         */
        PasswordConfirmation: {
            currentPassword?: components["schemas"]["CurrentPassword"];
            totpCode?: components["schemas"]["TotpCode"];
            recoveryCode?: components["schemas"]["RecoveryCode"];
            passkey?: components["schemas"]["PasskeyAssertion"];
        };
        /**
         * @description The error body of a change that needs a second factor beside the password.
         * @example {
         *       "statusCode": 403,
         *       "error": "Forbidden",
         *       "code": "FACTOR_REQUIRED",
         *       "message": "Prove a second factor in addition to the password",
         *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d",
         *       "factors": [
         *         "totp",
         *         "recovery-code"
         *       ]
         *     }
         */
        FactorRequired: {
            /**
             * @description The HTTP status code.
             * @constant
             */
            statusCode: 403;
            /** @description The HTTP status text. */
            error: string;
            /** @constant */
            code: "FACTOR_REQUIRED";
            /** @description For developers; may change at any time. */
            message: string;
            /** @description The X-Request-Id of the response. */
            requestId: string;
            /** @description The factors that the account has; empty if it has none. */
            factors: components["schemas"]["SecondFactor"][];
        };
        /**
         * @description The current password, unless the account has none, and one of the user's second factors while a second step is due: without one, the
         *     response is 403 `FACTOR_REQUIRED`.
         * @example {
         *       "currentPassword": "Password123!",
         *       "totpCode": "042917"
         *     }
         */
        FactorConfirmation: {
            currentPassword?: components["schemas"]["CurrentPassword"];
            totpCode?: components["schemas"]["TotpCode"];
            recoveryCode?: components["schemas"]["RecoveryCode"];
            passkey?: components["schemas"]["PasskeyAssertion"];
        };
        CustomerAuthRefreshTokenResponseDto: components["schemas"]["Refreshed"];
        CustomerAuthMeResponseDto: {
            user: components["schemas"]["CustomerUser"];
            profile: components["schemas"]["Profile"];
            session: components["schemas"]["DeviceSession"];
        };
        CustomerSession: {
            user: components["schemas"]["CustomerUser"];
            session: components["schemas"]["Session"];
        };
        CustomerAccount: {
            /**
             * @description The kind of account that the token is for.
             * @enum {string}
             */
            kind: "customer";
            user: components["schemas"]["CustomerUser"];
            profile: components["schemas"]["Profile"];
            /**
             * @description All roles of the user.
             * @example [
             *       "CUSTOMER"
             *     ]
             */
            roles: components["schemas"]["RoleType"][];
            session: components["schemas"]["Session"];
        };
        EmployeeAuthRefreshTokenResponseDto: components["schemas"]["Refreshed"];
        EmployeeAuthMeResponseDto: {
            user: components["schemas"]["EmployeeUser"];
            profile: components["schemas"]["Profile"];
            session: components["schemas"]["DeviceSession"];
        };
        EmployeeSession: {
            user: components["schemas"]["EmployeeUser"];
            session: components["schemas"]["Session"];
        };
        EmployeeAccount: {
            /**
             * @description The kind of account that the token is for.
             * @enum {string}
             */
            kind: "employee";
            user: components["schemas"]["EmployeeUser"];
            profile: components["schemas"]["Profile"];
            /**
             * @description All roles of the user.
             * @example [
             *       "EMPLOYEE"
             *     ]
             */
            roles: components["schemas"]["RoleType"][];
            session: components["schemas"]["Session"];
        };
        AdminAuthRefreshTokenResponseDto: components["schemas"]["Refreshed"];
        AdminAuthMeResponseDto: {
            user: components["schemas"]["AdministratorUser"];
            /** @description An administrator has no profile. */
            profile: null;
            session: components["schemas"]["DeviceSession"];
        };
        AdministratorSession: {
            user: components["schemas"]["AdministratorUser"];
            session: components["schemas"]["Session"];
        };
        AdministratorAccount: {
            /**
             * @description The kind of account that the token is for.
             * @enum {string}
             */
            kind: "administrator";
            user: components["schemas"]["AdministratorUser"];
            /** @description An administrator has no profile. */
            profile: null;
            /**
             * @description All roles of the user.
             * @example [
             *       "ADMIN"
             *     ]
             */
            roles: components["schemas"]["RoleType"][];
            session: components["schemas"]["Session"];
        };
        /**
         * Format: uuid
         * @description Send it as X-Session-Id.
         * @example 1f9e4d7a-2b36-4c58-b7d0-6a5c8e3f9b42
         */
        SessionId: string;
        /** @description A device of the user. It outlives the sign-out: the next sign-in with the same fingerprint has the same id. */
        Session: {
            id: components["schemas"]["SessionId"];
            userId: components["schemas"]["UserId"];
            /**
             * @description IP address of the last sign-in.
             * @example 203.0.113.7
             */
            ip: string;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        /** @description A device of the user. It outlives the sign-out: the next sign-in with the same fingerprint has the same id. */
        DeviceSession: {
            id: components["schemas"]["SessionId"];
            userId: components["schemas"]["UserId"];
            /**
             * @description The X-Fingerprint of the request.
             * @example 7d1f6f0c9b
             */
            fingerprint: string;
            /**
             * @description IP address of the last sign-in.
             * @example 203.0.113.7
             */
            ip: string;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        /** @description A device on which the user is signed in. */
        OwnSession: {
            id: components["schemas"]["SessionId"];
            userId: components["schemas"]["UserId"];
            /**
             * @description IP address of the last sign-in.
             * @example 203.0.113.7
             */
            ip: string;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            userAgent: components["schemas"]["UserAgent"];
            signedInAt: components["schemas"]["Timestamp"];
            refreshedAt: components["schemas"]["RefreshedAt"];
            /** @description Whether the user chose to stay signed in. */
            staysSignedIn: boolean;
            /** @description Whether this is the session of the request's token. */
            isCurrent: boolean;
            /**
             * @description How the session was signed in.
             * @example [
             *       "password",
             *       "totp"
             *     ]
             */
            methods: components["schemas"]["SignInMethod"][];
        };
        SessionList: {
            data: components["schemas"]["OwnSession"][];
        };
        /**
         * @description Send it as `Authorization` with the scheme Bearer.
         * @example eyJhbGciOiJIUzI1NiJ9.eyJ1c2VySWQiOiIuLi4ifQ.c2lnbmF0dXJl
         */
        AccessToken: string;
        Refreshed: {
            token: components["schemas"]["AccessToken"];
        };
        /** @description The account of the token's kind. */
        UserAuthResponseDto: components["schemas"]["CustomerAccount"] | components["schemas"]["EmployeeAccount"] | components["schemas"]["AdministratorAccount"];
        Totp: {
            enabledAt: components["schemas"]["Timestamp"];
        };
        /** @description The authenticator app; null until one is confirmed. */
        TotpOrNone: components["schemas"]["Totp"] | null;
        SecondFactorState: {
            totp: components["schemas"]["TotpOrNone"];
            passkeys: components["schemas"]["Passkey"][];
            recoveryCodesLeft: components["schemas"]["RecoveryCodesLeft"];
            isRequired: components["schemas"]["IsRequired"];
        };
        SecondFactorChanged: {
            totp: components["schemas"]["TotpOrNone"];
            passkeys: components["schemas"]["Passkey"][];
            recoveryCodesLeft: components["schemas"]["RecoveryCodesLeft"];
            isRequired: components["schemas"]["IsRequired"];
            recoveryCodes?: components["schemas"]["RecoveryCodeList"];
        };
        /**
         * @description The recovery codes that are not used.
         * @example 10
         */
        RecoveryCodesLeft: number;
        /**
         * @description Whether a second step is due: the user has an authenticator app or has switched the second step on, or the platform requires it of the
         *     user's role. A passkey alone does not make it due.
         * @example true
         */
        IsRequired: boolean;
        /**
         * @description Whether a second step is due, and the current password, unless the account has none. Switching it off takes one of the user's factors,
         *     too.
         * @example {
         *       "isRequired": true,
         *       "currentPassword": "Password123!"
         *     }
         */
        SecondStepChange: {
            /**
             * @description Whether to ask for a second step after the password from now on.
             * @example true
             */
            isRequired: boolean;
            currentPassword?: components["schemas"]["CurrentPassword"];
            totpCode?: components["schemas"]["TotpCode"];
            recoveryCode?: components["schemas"]["RecoveryCode"];
            passkey?: components["schemas"]["PasskeyAssertion"];
        };
        TotpSecret: {
            /**
             * @description In base32, to type into the app.
             * @example JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP
             */
            secret: string;
            /**
             * @description The secret as a URL, to show as a QR code.
             * @example otpauth://totp/Marketplace:customer%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Marketplace
             */
            otpauthUrl: string;
        };
        RecoveryCodes: {
            recoveryCodes: components["schemas"]["RecoveryCodeList"];
        };
        TotpConfirmed: {
            recoveryCodes?: components["schemas"]["RecoveryCodeList"];
        };
        /**
         * @description Ten codes, each of which replaces the other factors once. They are stored only as hashes, and returned when the second step begins, with a
         *     new factor of a user who has none left, and when the user replaces them.
         */
        RecoveryCodeList: string[];
        PasskeyRegistration: {
            response: components["schemas"]["PasskeyAttestation"];
            name: components["schemas"]["PasskeyLabel"];
        };
        PasskeyName: {
            name: components["schemas"]["PasskeyLabel"];
        };
        /**
         * @description The name by which the user tells it from other passkeys.
         * @example My phone
         */
        PasskeyLabel: string;
        /** @description A passkey signs in alone, and is a second factor after a password. */
        Passkey: {
            id: components["schemas"]["Uuid"];
            /**
             * @description The name by which the user tells it from other passkeys.
             * @example My phone
             */
            name: string;
            createdAt: components["schemas"]["Timestamp"];
            lastUsedAt: components["schemas"]["LastUsedAt"];
        };
        PasskeyCreated: {
            id: components["schemas"]["Uuid"];
            /**
             * @description The name by which the user tells it from other passkeys.
             * @example My phone
             */
            name: string;
            createdAt: components["schemas"]["Timestamp"];
            lastUsedAt: components["schemas"]["LastUsedAt"];
            recoveryCodes?: components["schemas"]["RecoveryCodeList"];
        };
        /** @description WebAuthn's PublicKeyCredentialDescriptorJSON. */
        PasskeyDescriptor: {
            /** @example dGhlIGlkIG9mIGEgcGFzc2tleQ */
            id: string;
            /** @example public-key */
            type: string;
            transports?: string[];
        };
        /** @enum {string} */
        PasskeyUserVerification: "required" | "preferred" | "discouraged";
        /** @enum {string} */
        PasskeyAttachment: "platform" | "cross-platform";
        PasskeyHints: ("hybrid" | "security-key" | "client-device")[];
        /** @description WebAuthn's PublicKeyCredentialRequestOptionsJSON, for `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
        PasskeyRequestOptions: {
            /** @example Y2hhbGxlbmdlIG9mIHRoZSBwbGF0Zm9ybQ */
            challenge: string;
            /**
             * @description In milliseconds.
             * @example 300000
             */
            timeout?: number;
            /** @example example.com */
            rpId?: string;
            allowCredentials?: components["schemas"]["PasskeyDescriptor"][];
            userVerification?: components["schemas"]["PasskeyUserVerification"];
            hints?: components["schemas"]["PasskeyHints"];
            extensions?: components["schemas"]["PasskeyExtensions"];
        };
        PasskeyExtensions: {
            /** @example true */
            credProps?: boolean;
        };
        /** @description WebAuthn's PublicKeyCredentialCreationOptionsJSON, for `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
        PasskeyCreationOptions: {
            rp: {
                /** @example example.com */
                id?: string;
                /** @example Marketplace */
                name: string;
            };
            user: {
                /** @example dGhlIGlkIG9mIHRoZSB1c2Vy */
                id: string;
                /** @example user@example.com */
                name: string;
                /** @example user@example.com */
                displayName: string;
            };
            /** @example Y2hhbGxlbmdlIG9mIHRoZSBwbGF0Zm9ybQ */
            challenge: string;
            pubKeyCredParams: {
                /** @constant */
                type: "public-key";
                /**
                 * @description A COSE algorithm.
                 * @example -7
                 */
                alg: number;
            }[];
            /**
             * @description In milliseconds.
             * @example 300000
             */
            timeout?: number;
            excludeCredentials?: components["schemas"]["PasskeyDescriptor"][];
            authenticatorSelection?: {
                authenticatorAttachment?: components["schemas"]["PasskeyAttachment"];
                /** @enum {string} */
                residentKey?: "required" | "preferred" | "discouraged";
                /** @example true */
                requireResidentKey?: boolean;
                userVerification?: components["schemas"]["PasskeyUserVerification"];
            };
            hints?: components["schemas"]["PasskeyHints"];
            /** @enum {string} */
            attestation?: "none" | "indirect" | "direct" | "enterprise";
            extensions?: components["schemas"]["PasskeyExtensions"];
        };
        /**
         * @description The credential id, in base64url.
         * @example dGhlIGlkIG9mIGEgcGFzc2tleQ
         */
        PasskeyId: string;
        /**
         * @description In base64url.
         * @example eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiWSJ9
         */
        PasskeyClientData: string;
        PasskeyExtensionResults: {
            credProps?: {
                /** @example true */
                rk?: boolean;
            };
        };
        /**
         * @description WebAuthn's AuthenticationResponseJSON, the `toJSON()` of what `navigator.credentials.get()` returns. Other fields of the browser
         *     are ignored; a member that is null is absent, and so is an empty `userHandle`.
         */
        PasskeyAssertion: {
            id: components["schemas"]["PasskeyId"];
            rawId: components["schemas"]["PasskeyId"];
            response: {
                clientDataJSON: components["schemas"]["PasskeyClientData"];
                authenticatorData: components["schemas"]["PasskeyClientData"];
                signature: components["schemas"]["PasskeyClientData"];
                /** @example dGhlIGlkIG9mIHRoZSB1c2Vy */
                userHandle?: string;
            };
            authenticatorAttachment?: components["schemas"]["PasskeyAttachment"];
            clientExtensionResults: components["schemas"]["PasskeyExtensionResults"];
            /** @constant */
            type: "public-key";
        };
        /**
         * @description WebAuthn's RegistrationResponseJSON, the `toJSON()` of what `navigator.credentials.create()` returns. Other fields of the browser
         *     are ignored; a member that is null is absent, and so is an empty `userHandle`.
         */
        PasskeyAttestation: {
            id: components["schemas"]["PasskeyId"];
            rawId: components["schemas"]["PasskeyId"];
            response: {
                clientDataJSON: components["schemas"]["PasskeyClientData"];
                /**
                 * @description In base64url.
                 * @example o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YUA
                 */
                attestationObject: string;
                authenticatorData?: components["schemas"]["PasskeyClientData"];
                transports?: string[];
                /** @example -7 */
                publicKeyAlgorithm?: number;
                publicKey?: components["schemas"]["PasskeyClientData"];
            };
            authenticatorAttachment?: components["schemas"]["PasskeyAttachment"];
            clientExtensionResults: components["schemas"]["PasskeyExtensionResults"];
            /** @constant */
            type: "public-key";
        };
        /**
         * @description The current password, and a factor while a second step is due; or a passkey alone. An account without a password proves a
         *     factor, or sends neither within five minutes after the sign-in.
         * @example {
         *       "currentPassword": "Password123!"
         *     }
         */
        RecentProof: {
            currentPassword?: components["schemas"]["CurrentPassword"];
            totpCode?: components["schemas"]["TotpCode"];
            recoveryCode?: components["schemas"]["RecoveryCode"];
            passkey?: components["schemas"]["PasskeyAssertion"];
        };
        /** @description A provider of OpenID Connect with which users of the kind can sign in. */
        Provider: {
            /**
             * @description The `provider` of the paths.
             * @example company
             */
            id: string;
            /**
             * @description For the button.
             * @example Company
             */
            name: string;
        };
        ProviderList: {
            data: components["schemas"]["Provider"][];
        };
        /**
         * Format: uri
         * @description Of the frontend; one of `OIDC_REDIRECT_URIS`. With several providers, its path ends with the provider's name.
         * @example http://localhost:5173/callback/company
         */
        RedirectUri: string;
        /**
         * @example {
         *       "redirectUri": "http://localhost:5173/callback/company"
         *     }
         */
        ProviderAuthorization: {
            redirectUri: components["schemas"]["RedirectUri"];
            /** @description After `REAUTHENTICATION_REQUIRED`. The provider asks a user again who has not proved their identity there within five minutes. */
            reauthenticate?: boolean;
            staySignedIn?: components["schemas"]["StaySignedIn"];
            /**
             * Format: email
             * @description An address that the provider may fill in.
             * @example user@example.com
             */
            loginHint?: string;
        };
        ProviderAuthorizationUrl: {
            /**
             * @description Where to send the browser.
             * @example https://login.example.com/auth?client_id=platform&response_type=code
             */
            authorizationUrl: string;
            /**
             * @description Seconds until the response of the provider must be handed back.
             * @example 600
             */
            expiresIn: number;
        };
        ProviderCallback: {
            /**
             * @description The whole address to which the provider returned the browser.
             * @example http://localhost:5173/callback/company?code=kX2u&state=q3Zt
             */
            callbackUrl: string;
        };
        BackchannelLogout: {
            /**
             * @description A JWT that the provider has signed.
             * @example eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl
             */
            logout_token: string;
        };
        /**
         * @description The redirect URI, confirmed as in PasswordConfirmation.
         * @example {
         *       "redirectUri": "http://localhost:5173/callback/company",
         *       "currentPassword": "Password123!"
         *     }
         */
        IdentityAuthorization: {
            redirectUri: components["schemas"]["RedirectUri"];
            currentPassword?: components["schemas"]["CurrentPassword"];
            totpCode?: components["schemas"]["TotpCode"];
            recoveryCode?: components["schemas"]["RecoveryCode"];
            passkey?: components["schemas"]["PasskeyAssertion"];
        };
        /** @description An account at a provider that signs in to this account. */
        Identity: {
            id: components["schemas"]["Uuid"];
            /**
             * @description The `id` of the provider.
             * @example company
             */
            provider: string;
            /**
             * @description At the provider, when the identity was last used; null if it gave none.
             * @example customer@example.com
             */
            email: string | null;
            linkedAt: components["schemas"]["Timestamp"];
            lastUsedAt: components["schemas"]["LastUsedAt"];
        };
        IdentityList: {
            data: components["schemas"]["Identity"][];
            /** @description Without one, a factor or a recent sign-in takes the place of `currentPassword`. */
            hasPassword: boolean;
        };
        CustomerAuthSignInDto: components["schemas"]["SignIn"];
        CustomerAuthSignInResponseDto: {
            token: components["schemas"]["AccessToken"];
            session: components["schemas"]["DeviceSession"];
            user: components["schemas"]["CustomerUser"];
            /**
             * @description Only if this sign-in, by a mailed code or a provider, was the first proof of the account's e-mail address: what was removed
             *     because a stranger may have set it up. `profile`: names and phone number. Empty if there was nothing to remove.
             * @example [
             *       "password"
             *     ]
             */
            removedByProof?: ("password" | "profile" | (string & {}))[];
        };
        EmployeeAuthSignInDto: components["schemas"]["SignIn"];
        EmployeeAuthSignInResponseDto: {
            token: components["schemas"]["AccessToken"];
            session: components["schemas"]["DeviceSession"];
            user: components["schemas"]["EmployeeUser"];
            /**
             * @description Only if this sign-in, by a mailed code or a provider, was the first proof of the account's e-mail address: what was removed
             *     because a stranger may have set it up. `profile`: names and phone number. Empty if there was nothing to remove.
             * @example [
             *       "password"
             *     ]
             */
            removedByProof?: ("password" | "profile" | (string & {}))[];
        };
        AdminAuthSignInDto: components["schemas"]["SignIn"];
        AdminAuthSignInResponseDto: {
            token: components["schemas"]["AccessToken"];
            session: components["schemas"]["DeviceSession"];
            user: components["schemas"]["AdministratorUser"];
            /**
             * @description Only if this sign-in, by a mailed code or a provider, was the first proof of the account's e-mail address: what was removed
             *     because a stranger may have set it up. `profile`: names and phone number. Empty if there was nothing to remove.
             * @example [
             *       "password"
             *     ]
             */
            removedByProof?: ("password" | "profile" | (string & {}))[];
        };
        SignIn: {
            email: components["schemas"]["Email"];
            /**
             * @description The rules for new passwords do not apply.
             * @example Password123!
             */
            password: string;
            staySignedIn?: components["schemas"]["StaySignedIn"];
        };
        SignInMethods: {
            /**
             * @example [
             *       "password",
             *       "email-code",
             *       "passkey"
             *     ]
             */
            methods: ("password" | "email-code" | "passkey" | (string & {}))[];
            /** @description Whether users may choose to stay signed in. */
            staySignedIn: boolean;
            /** @description The providers of OpenID Connect, in the order of the configuration. */
            providers: components["schemas"]["Provider"][];
        };
        SignInCodeRequest: {
            email: components["schemas"]["Email"];
        };
        EmailCodeSignIn: {
            email: components["schemas"]["Email"];
            code: components["schemas"]["Code"];
            staySignedIn?: components["schemas"]["StaySignedIn"];
        };
        /**
         * @description Whether the session lives longer, if `sign-in/methods` offers it. Administrators, and holders of a platform role, never stay signed in.
         * @example false
         */
        StaySignedIn: boolean;
        /**
         * @description A later release may add factors; a client offers those that it knows.
         * @example totp
         */
        SecondFactor: "totp" | "passkey" | "recovery-code" | "email-code" | (string & {});
        /**
         * @description The error body of a sign-in that must be finished with a second factor.
         * @example {
         *       "statusCode": 401,
         *       "error": "Unauthorized",
         *       "code": "SECOND_FACTOR_REQUIRED",
         *       "message": "The second factor is required",
         *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d",
         *       "challenge": "zD0b8mQxW3qvYJm0h1w7c2l5X9eKs4uTfRgBnVaPyHo",
         *       "factors": [
         *         "totp",
         *         "recovery-code"
         *       ]
         *     }
         */
        SecondFactorRequired: {
            /**
             * @description The HTTP status code.
             * @constant
             */
            statusCode: 401;
            /** @description The HTTP status text. */
            error: string;
            /** @constant */
            code: "SECOND_FACTOR_REQUIRED";
            /** @description For developers; may change at any time. */
            message: string;
            /** @description The X-Request-Id of the response. */
            requestId: string;
            challenge: components["schemas"]["Challenge"];
            /** @description The factors that the account has. */
            factors: components["schemas"]["SecondFactor"][];
        };
        /**
         * @description The error body of a sign-in with a provider whose e-mail has an account.
         * @example {
         *       "statusCode": 409,
         *       "error": "Conflict",
         *       "code": "ACCOUNT_EXISTS",
         *       "message": "An account has this e-mail; sign in to it, then link the identity",
         *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d",
         *       "email": "ada@example.com"
         *     }
         */
        AccountExists: {
            /**
             * @description The HTTP status code.
             * @constant
             */
            statusCode: 409;
            /** @description The HTTP status text. */
            error: string;
            /** @constant */
            code: "ACCOUNT_EXISTS";
            /** @description For developers; may change at any time. */
            message: string;
            /** @description The X-Request-Id of the response. */
            requestId: string;
            /**
             * Format: email
             * @description Verified by the provider.
             * @example ada@example.com
             */
            email: string;
        };
        /**
         * @description The `challenge` of the sign-in; an opaque value.
         * @example zD0b8mQxW3qvYJm0h1w7c2l5X9eKs4uTfRgBnVaPyHo
         */
        Challenge: string;
        /**
         * @description The `challenge` of the sign-in. A text that is no challenge is invalid like an unknown one.
         * @example zD0b8mQxW3qvYJm0h1w7c2l5X9eKs4uTfRgBnVaPyHo
         */
        PresentedChallenge: string;
        SecondFactorChallenge: {
            challenge: components["schemas"]["PresentedChallenge"];
        };
        /**
         * @description The challenge of the sign-in and one of the other fields.
         * @example {
         *       "challenge": "zD0b8mQxW3qvYJm0h1w7c2l5X9eKs4uTfRgBnVaPyHo",
         *       "totpCode": "042917"
         *     }
         */
        SecondFactorSignIn: {
            challenge: components["schemas"]["PresentedChallenge"];
            totpCode?: components["schemas"]["TotpCode"];
            recoveryCode?: components["schemas"]["RecoveryCode"];
            passkey?: components["schemas"]["PasskeyAssertion"];
            emailCode?: components["schemas"]["Code"];
        };
        PasskeySignIn: {
            response: components["schemas"]["PasskeyAssertion"];
            staySignedIn?: components["schemas"]["StaySignedIn"];
        };
        CustomerVerificationEmailCheckResponseDto: components["schemas"]["Verified"];
        CustomerVerificationEmailCodeCheckDto: components["schemas"]["CodeCheck"];
        CustomerAuthResetPasswordEmailCodeSendDto: components["schemas"]["ResetCodeSend"];
        CustomerAuthResetPasswordEmailCodeCheckDto: components["schemas"]["PasswordReset"];
        EmployeeVerificationEmailCheckResponseDto: components["schemas"]["Verified"];
        EmployeeVerificationEmailCodeCheckDto: components["schemas"]["CodeCheck"];
        EmployeeAuthResetPasswordEmailCodeSendDto: components["schemas"]["ResetCodeSend"];
        EmployeeAuthResetPasswordEmailCodeCheckDto: components["schemas"]["PasswordReset"];
        AdminVerificationEmailCheckResponseDto: components["schemas"]["Verified"];
        AdminVerificationEmailCodeCheckDto: components["schemas"]["CodeCheck"];
        AdminAuthResetPasswordEmailCodeSendDto: components["schemas"]["ResetCodeSend"];
        AdminAuthResetPasswordEmailCodeCheckDto: components["schemas"]["PasswordReset"];
        /**
         * @description The six digits from the mail or the authenticator app. A whole number is taken, too, with its leading zeros restored. Invisible
         *     characters do not matter.
         * @example 042917
         */
        Code: string;
        CodeCheck: {
            code: components["schemas"]["Code"];
        };
        CodeSent: {
            /**
             * @description Lifetime of the code in seconds.
             * @example 900
             */
            expiresIn: number;
            /**
             * @description Seconds until the next code can be sent.
             * @example 120
             */
            resendIn: number;
        };
        Verified: {
            /** @description Whether the user's e-mail address is verified. */
            verified: boolean;
        };
        ResetCodeSend: {
            email: components["schemas"]["Email"];
        };
        PasswordReset: {
            email: components["schemas"]["Email"];
            code: components["schemas"]["Code"];
            newPassword: components["schemas"]["NewPassword"];
        };
        CustomerAuthResetPasswordDto: components["schemas"]["PasswordChange"];
        CustomerEmailChanged: {
            user: components["schemas"]["CustomerUser"];
        };
        EmployeeAuthResetPasswordDto: components["schemas"]["PasswordChange"];
        EmployeeEmailChanged: {
            user: components["schemas"]["EmployeeUser"];
        };
        AdminAuthResetPasswordDto: components["schemas"]["PasswordChange"];
        AdministratorEmailChanged: {
            user: components["schemas"]["AdministratorUser"];
        };
        /** @description The new password, confirmed as in PasswordConfirmation. */
        PasswordChange: {
            newPassword: components["schemas"]["NewPassword"];
            currentPassword?: components["schemas"]["CurrentPassword"];
            totpCode?: components["schemas"]["TotpCode"];
            recoveryCode?: components["schemas"]["RecoveryCode"];
            passkey?: components["schemas"]["PasskeyAssertion"];
        };
        ProfileChange: {
            /**
             * @description Null clears it.
             * @example Ada
             */
            firstName?: string | null;
            /**
             * @description Null clears it.
             * @example Lovelace
             */
            lastName?: string | null;
            /**
             * @description In any notation; null clears it.
             * @example +44 20 7946 0958
             */
            phone?: string | null;
        };
        ProfileChanged: {
            profile: components["schemas"]["Profile"];
        };
        EmailChangeRequested: {
            /**
             * Format: email
             * @description The address that the code confirms. It is in lower case.
             * @example new@example.com
             */
            newEmail: string;
            /**
             * @description Lifetime of the code in seconds.
             * @example 900
             */
            expiresIn: number;
            /**
             * @description Seconds until the next code can be sent to this address.
             * @example 120
             */
            resendIn: number;
        };
        SignInList: {
            data: components["schemas"]["RecordedSignIn"][];
            /**
             * @description Null at the end.
             * @example null
             */
            nextCursor: string | null;
        };
        /** @description A sign-in or a failed one. A refresh is none. */
        RecordedSignIn: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description The kind of account that was to be signed in.
             * @enum {string}
             */
            kind: "customer" | "employee" | "administrator";
            /**
             * @description `SIGNED_IN`, or why the sign-in failed. `PAUSED`: rejected after many wrong tries, recorded once for a pause and network;
             *     `NO_ROLE`: not exactly one platform role; `WRONG_KIND`: the account is of another kind; `PROVIDER_REJECTED`: a provider had
             *     confirmed an identity that may not sign in. A later release may add reasons.
             * @example SIGNED_IN
             */
            result: "SIGNED_IN" | "WRONG_PASSWORD" | "WRONG_CODE" | "WRONG_FACTOR" | "PAUSED" | "BLOCKED" | "NO_ROLE" | "WRONG_KIND" | "PROVIDER_REJECTED" | (string & {});
            /**
             * @description How the session was signed in; empty for a failed sign-in.
             * @example [
             *       "password"
             *     ]
             */
            methods: components["schemas"]["SignInMethod"][];
            /**
             * @description The client address.
             * @example 203.0.113.7
             */
            ip: string;
            userAgent: components["schemas"]["UserAgent"];
            /** @description Whether the device had not signed in to the account before. */
            isNewDevice: boolean;
        };
        /**
         * @example {
         *       "pending": {
         *         "newEmail": "new@example.com",
         *         "expiresIn": 840,
         *         "resendIn": 60
         *       }
         *     }
         */
        EmailChangePending: {
            /** @description Null without a change, and once it has expired or ended. */
            pending: components["schemas"]["EmailChangeRequested"] | null;
        };
        /** @description The new address, confirmed as in PasswordConfirmation. */
        EmailChange: {
            newEmail: components["schemas"]["NewEmail"];
            currentPassword?: components["schemas"]["CurrentPassword"];
            totpCode?: components["schemas"]["TotpCode"];
            recoveryCode?: components["schemas"]["RecoveryCode"];
            passkey?: components["schemas"]["PasskeyAssertion"];
        };
        AdministratorName: {
            /**
             * @description How colleagues see the administrator; without one (null), they see the address.
             * @example Grace Hopper
             */
            name: string | null;
        };
        AdministratorNameChange: {
            name: components["schemas"]["NewAdministratorName"];
        };
        /**
         * @description The code of the mail. Letter case, spaces and dashes do not matter.
         * @example k3v7-2qpa-x4ne-m6tz-5whd-ycru-3jlo-b2gf
         */
        CodeOfInvitation: string;
        InvitationCode: {
            code: components["schemas"]["CodeOfInvitation"];
        };
        InvitationAcceptance: {
            code: components["schemas"]["CodeOfInvitation"];
            password: components["schemas"]["NewPassword"];
            name?: components["schemas"]["NewAdministratorName"];
        };
        CheckedInvitation: {
            /**
             * @description The invited address.
             * @example colleague@example.com
             */
            email: string;
            role: components["schemas"]["PlatformRole"];
            expiresAt: components["schemas"]["Timestamp"];
        };
        InvitedAdministrator: {
            id: components["schemas"]["UserId"];
            /** @example colleague@example.com */
            email: string;
            platformRole: components["schemas"]["PlatformRole"];
            createdAt: components["schemas"]["Timestamp"];
        };
        /** @description As ALTCHA defines them; part of the solution, unchanged. */
        BotChallengeParameters: {
            /** @constant */
            algorithm: "PBKDF2/SHA-256";
            /**
             * @description The iterations of one derivation.
             * @example 5000
             */
            cost: number;
            /**
             * @description In seconds since 1970.
             * @example 1795174200
             */
            expiresAt: number;
            /**
             * @description In bytes.
             * @example 32
             */
            keyLength: number;
            /**
             * @description With which the derived key of the solution begins.
             * @example 9f2c51d0a7e34b6688c1d2e3f4a5b6c7
             */
            keyPrefix: string;
            /** @example 5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592 */
            keySignature: string;
            /** @example 0c1d2e3f405162738495a6b7c8d9eafb */
            nonce: string;
            /** @example a1b2c3d4e5f60718293a4b5c6d7e8f90 */
            salt: string;
        };
        BotChallenge: {
            parameters: components["schemas"]["BotChallengeParameters"];
            /**
             * @description Covers all parameters.
             * @example 7c4a8d09ca3762af61e59520943dc26494f8941b7c4a8d09ca3762af61e59520
             */
            signature: string;
        };
        /**
         * Format: email
         * @description Stored and compared in lower case. At most 64 characters precede the `@` (RFC 5321, 4.5.3.1.1).
         * @example user@example.com
         */
        NewEmail: string;
        /** @description Stable; clients should use it instead of the message. A later release may add codes. [All codes](/api/errors.html). */
        ErrorCode: "VALIDATION_FAILED" | "CODE_INVALID" | "USER_ALREADY_BLOCKED" | "USER_NOT_BLOCKED" | "CURRENT_PASSWORD_WRONG" | "TOKEN_INVALID" | "USER_BLOCKED" | "INVALID_CREDENTIALS" | "SECOND_FACTOR_REQUIRED" | "SECOND_FACTOR_INVALID" | "FACTOR_NOT_OFFERED" | "CHALLENGE_INVALID" | "OIDC_STATE_INVALID" | "OIDC_DENIED" | "OIDC_RESPONSE_INVALID" | "REFRESH_TOKEN_SUPERSEDED" | "REFRESH_TOKEN_REUSED" | "SESSION_NOT_FOUND" | "WORKSPACE_FORBIDDEN" | "PLATFORM_ROLE_INVALID" | "DOMAIN_NOT_ALLOWED" | "USER_IS_ADMIN" | "OWN_SECOND_FACTOR" | "SECOND_FACTOR_ENROLMENT_REQUIRED" | "REGISTRATION_CLOSED" | "OIDC_NO_ACCOUNT" | "OIDC_EMAIL_UNVERIFIED" | "PROVIDER_NOT_ALLOWED" | "FACTOR_REQUIRED" | "BOT_CHECK_REQUIRED" | "BOT_CHECK_FAILED" | "REAUTHENTICATION_REQUIRED" | "PROOF_REQUIRED" | "EMAIL_NOT_VERIFIED" | "ROUTE_NOT_FOUND" | "USER_NOT_FOUND" | "PAUSE_NOT_FOUND" | "FACTOR_NOT_FOUND" | "PASSKEY_NOT_FOUND" | "PROVIDER_NOT_FOUND" | "IDENTITY_NOT_FOUND" | "PROJECT_NOT_FOUND" | "INVITATION_NOT_FOUND" | "TEAM_NOT_FOUND" | "EMPLOYEE_NOT_FOUND" | "CONTACT_REQUEST_NOT_FOUND" | "AUDIT_RECORD_NOT_FOUND" | "MAIL_NOT_FOUND" | "PLATFORM_ROLE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "EMAIL_TAKEN" | "KIND_MISSING" | "EMAIL_ALREADY_VERIFIED" | "SECOND_FACTOR_ENABLED" | "SECOND_FACTOR_MISSING" | "SECOND_FACTOR_NEEDED" | "PASSKEY_TAKEN" | "PASSKEY_LIMIT_REACHED" | "ACCOUNT_EXISTS" | "IDENTITY_TAKEN" | "LAST_SIGN_IN_METHOD" | "TEAM_NOT_ONBOARDING" | "LAST_TEAM_ADMINISTRATOR" | "MAIL_EXPIRED" | "MAIL_BEING_SENT" | "PLATFORM_ROLE_TAKEN" | "USER_IS_BLOCKED" | "LAST_ADMINISTRATOR" | "OTHER_ROLES" | "ID_TAKEN" | "CHANGED_MEANWHILE" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "HOST_UNKNOWN" | "RATE_LIMITED" | "RESEND_LOCKED" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "UPSTREAM_UNAVAILABLE" | "SERVICE_UNAVAILABLE" | "OIDC_PROVIDER_UNAVAILABLE" | "UPSTREAM_TIMEOUT" | (string & {});
        /** @description The keyword of JSON Schema, or a rule of the platform. A later release may add rules. [All rules](/api/errors.html#rules). */
        ErrorRule: "required" | "type" | "enum" | "format" | "pattern" | "minLength" | "maxLength" | "minimum" | "maximum" | "maxItems" | "const" | "alone" | "recent" | "additionalProperties" | "max-bytes" | "blank" | "control-character" | "not-null" | "unstorable" | "too-deep" | "not-finite" | "common-password" | "password-is-email" | "breached-password" | "same-password" | "credential-id" | "credential-key" | "one-factor" | "email-unchanged" | "redirect-uri" | "logout-token" | "contracting-stage" | "link-origin" | "cursor" | (string & {});
        /**
         * @example {
         *       "path": "/body/email",
         *       "message": "must match format \"email\"",
         *       "rule": "format",
         *       "params": {
         *         "format": "email"
         *       }
         *     }
         */
        ErrorDetail: {
            /** @description `/body/…`, `/query/<name>`, `/params/<name>` or `/headers/<lower-case name>`. */
            path: string;
            /** @description For developers; may change at any time. */
            message: string;
            rule: components["schemas"]["ErrorRule"];
            /** @description The parameters of the rule, by which a frontend can show the error in its own language. */
            params?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description The body of every error response.
         * @example {
         *       "statusCode": 401,
         *       "error": "Unauthorized",
         *       "code": "INVALID_CREDENTIALS",
         *       "message": "The e-mail or the password is wrong",
         *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
         *     }
         */
        ErrorResponse: {
            /** @description The HTTP status code. */
            statusCode: number;
            /** @description The HTTP status text. */
            error: string;
            code: components["schemas"]["ErrorCode"];
            /** @description For developers; may change at any time. */
            message: string;
            /** @description The X-Request-Id of the response. */
            requestId: string;
            /** @description With VALIDATION_FAILED, the invalid fields. */
            details?: components["schemas"]["ErrorDetail"][];
        };
        /**
         * Format: uuid
         * @description The id of the user, the same as a customer and as an employee.
         * @example 5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11
         */
        UserId: string;
        /**
         * @description Whether somebody has proved to read the mails to the address. Before that, it may be the address of somebody else, and the
         *     account can have neither second factors nor linked identities.
         */
        IsEmailVerified: boolean;
        /**
         * @description - `CUSTOMER`: has projects
         *     - `EMPLOYEE`: belongs to teams, which do the work
         *     - `ADMIN`, `OPERATOR`, `ARBITER`: the platform roles, which open the back office
         * @enum {string}
         */
        RoleType: "CUSTOMER" | "EMPLOYEE" | "ADMIN" | "OPERATOR" | "ARBITER";
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         * @example 2026-11-20T09:30:00.000Z
         */
        Timestamp: string;
        /**
         * Format: uuid
         * @description The id of the profile.
         * @example c2a7d9f4-58b1-4e06-8f3a-90b6e1d4c725
         */
        ProfileId: string;
        /** @description What the user has entered as a customer or as an employee, separately for each. */
        Profile: {
            id: components["schemas"]["ProfileId"];
            userId: components["schemas"]["UserId"];
            /**
             * @description Null if not given.
             * @example Ada
             */
            firstName: string | null;
            /**
             * @description Null if not given.
             * @example Lovelace
             */
            lastName: string | null;
            /**
             * @description As the user has written it; null if not given.
             * @example null
             */
            phone: string | null;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        /**
         * @description The beginning of the `User-Agent` of the sign-in; null without one, and for a session without tokens. Clients choose it, so it
         *     helps people recognise their devices and proves nothing.
         * @example Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36
         */
        UserAgent: string | null;
        /**
         * Format: date-time
         * @description The last refresh; null before the first one.
         * @example 2026-11-20T10:15:00.000Z
         */
        RefreshedAt: string | null;
        /**
         * @description A provider is `oidc:` and its `id`; `mfa` is a second factor that the provider has verified. A later release may add methods.
         * @example password
         */
        SignInMethod: "password" | "email-code" | "totp" | "recovery-code" | "passkey" | "mfa" | (string & {});
        /**
         * @description - `ADMIN`: manages users, projects, teams and contact forms in the back office
         *     - `OPERATOR`, `ARBITER`: sign in to the back office, where each has a workspace of its own
         * @enum {string}
         */
        PlatformRole: "ADMIN" | "OPERATOR" | "ARBITER";
        /**
         * Format: uuid
         * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
         */
        Uuid: string;
        /**
         * Format: date-time
         * @description The last time that it signed in or confirmed a change; null before.
         * @example null
         */
        LastUsedAt: string | null;
        /** @description Whether an ADMIN has blocked the user, whose sign-ins and tokens are rejected with `USER_BLOCKED`. */
        IsBlocked: boolean;
        /**
         * @description The language of the mails to the user. A later release may add languages.
         * @example en
         */
        MailLanguage: "en" | "de" | (string & {});
        /**
         * Format: date-time
         * @description The last sign-in, to an account of any kind. It outlives the session, and is null before the first one.
         * @example 2026-11-20T09:30:00.000Z
         */
        LastSignInAt: string | null;
        /** @description The user, without the profiles. */
        ExportedUser: {
            id: components["schemas"]["UserId"];
            /** @example customer@example.com */
            email: string;
            /**
             * @description How colleagues see an administrator.
             * @example null
             */
            administratorName: string | null;
            isEmailVerified: components["schemas"]["IsEmailVerified"];
            isBlocked: components["schemas"]["IsBlocked"];
            /** @description Whether the user has switched the second step on. */
            isSecondStepOn: boolean;
            language: components["schemas"]["MailLanguage"];
            /**
             * @description Of the times in mails to the user; null for UTC.
             * @example Europe/Berlin
             */
            timeZone: string | null;
            /**
             * @example [
             *       "CUSTOMER"
             *     ]
             */
            roles: components["schemas"]["RoleType"][];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            lastSignInAt: components["schemas"]["LastSignInAt"];
        };
        /** @description Null if the user is not of this kind. */
        ProfileOrNone: components["schemas"]["Profile"] | null;
        UserProfiles: {
            customer: components["schemas"]["ProfileOrNone"];
            employee: components["schemas"]["ProfileOrNone"];
        };
        ExportedSession: {
            id: components["schemas"]["Uuid"];
            /**
             * @description IP address of the last sign-in.
             * @example 203.0.113.7
             */
            ip: string;
            /**
             * @description The client networks of its sign-ins.
             * @example [
             *       "203.0.113.7"
             *     ]
             */
            networks: string[];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            userAgent: components["schemas"]["UserAgent"];
            /**
             * Format: date-time
             * @description Null for a session without tokens.
             * @example 2026-11-20T09:30:00.000Z
             */
            signedInAt: string | null;
            refreshedAt: components["schemas"]["RefreshedAt"];
            /** @description Whether the user chose to stay signed in. */
            staysSignedIn: boolean;
            /**
             * @description Always false: an export is the same for the user and for an ADMIN.
             * @example false
             */
            isCurrent: boolean;
            /**
             * @description How the session was signed in; null for a session without tokens.
             * @example [
             *       "password"
             *     ]
             */
            methods: components["schemas"]["SignInMethod"][] | null;
        };
        /** @description The second factors, without their secrets. */
        ExportedSecondFactor: {
            /**
             * @description The authenticator app; null without one.
             * @example null
             */
            totp: {
                enabledAt: components["schemas"]["Timestamp"];
            } | null;
            passkeys: {
                id: components["schemas"]["Uuid"];
                /** @example Phone */
                name: string;
                createdAt: components["schemas"]["Timestamp"];
                lastUsedAt: components["schemas"]["LastUsedAt"];
            }[];
            /**
             * @description The recovery codes that are not used.
             * @example 10
             */
            recoveryCodesLeft: number;
            /** @description Whether a second step is due. */
            isRequired: boolean;
        };
        /**
         * @description The secret that was guessed; the other ones still work. A later release may add secrets.
         * @example password
         */
        GuessedSecret: "password" | "second-factor" | "email-code" | (string & {});
        ExportedPause: {
            secret: components["schemas"]["GuessedSecret"];
            until: components["schemas"]["Timestamp"];
        };
        /** @description An account at a provider that signs in to this account. */
        ExportedIdentity: {
            id: components["schemas"]["Uuid"];
            /**
             * @description The `id` of the provider.
             * @example company
             */
            provider: string;
            /**
             * @description The provider as OpenID Connect names it.
             * @example https://login.example.com
             */
            issuer: string;
            /**
             * @description The user's id at the provider.
             * @example 248289761001
             */
            subject: string;
            /** @example customer@example.com */
            email: string | null;
            linkedAt: components["schemas"]["Timestamp"];
            lastUsedAt: components["schemas"]["LastUsedAt"];
        };
        /**
         * Format: uuid
         * @example 74d3b8c6-e915-4f2a-a08b-5c7e9d1f3a60
         */
        ProjectId: string;
        /** @enum {string} */
        ProjectCategoryType: "WEB" | "MOBILE" | "DESIGN" | "MARKETING" | "DATA" | "DEVOPS" | "CONSULTING" | "OTHER";
        /**
         * @description The usual order. Any status may follow any other: other services decide.
         *     - `DRAFT`: the owner is writing it
         *     - `MODERATION`: is checked before it is published
         *     - `PUBLISHED`: teams can see it and make bids
         *     - `TEAM_SELECTION`: the owner chooses among the bids
         *     - `CONTRACTING`: owner and team agree on a contract; `contractingStage` tells how far they are
         *     - `IN_PROGRESS`: the team works
         *     - `ON_REVIEW`: the owner checks the work
         *     - `DISPUTED`: owner and team disagree
         *     - `COMPLETED`: the owner has accepted the work
         *     - `CANCELLED`: nobody works on it any more
         * @enum {string}
         */
        ProjectStatus: "DRAFT" | "MODERATION" | "PUBLISHED" | "TEAM_SELECTION" | "CONTRACTING" | "IN_PROGRESS" | "ON_REVIEW" | "DISPUTED" | "COMPLETED" | "CANCELLED";
        /**
         * @description - `NEGOTIATION`: owner and team agree on terms
         *     - `DRAFTING`: the contract is written
         *     - `CUSTOMER_SIGNING`: the owner has to sign it
         *     - `EXECUTOR_SIGNING`: a member of the team who `canSign` has to sign it
         *     - `SIGNED`: both have signed it
         * @enum {string}
         */
        ContractingStage: "NEGOTIATION" | "DRAFTING" | "CUSTOMER_SIGNING" | "EXECUTOR_SIGNING" | "SIGNED";
        /**
         * @description Set if and only if the status is CONTRACTING.
         * @example null
         */
        ContractingStageOrNone: components["schemas"]["ContractingStage"] | null;
        ExportedProject: {
            id: components["schemas"]["ProjectId"];
            /** @example Online shop for a bakery */
            title: string;
            /**
             * @description Plain text with line breaks.
             * @example Twelve products and pick-up at the shop.
             */
            description: string;
            category: components["schemas"]["ProjectCategoryType"];
            status: components["schemas"]["ProjectStatus"];
            contractingStage: components["schemas"]["ContractingStageOrNone"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description Null unless the project is deleted.
             * @example null
             */
            deletedAt: string | null;
        };
        /**
         * Format: uuid
         * @example a96b0e5d-1c84-47f3-9e2d-3f8a7b6c5d04
         */
        TeamId: string;
        /**
         * @description - `ADMINISTRATOR`: manages the team and its members. The platform keeps at least one active one; all else, services must check.
         *     - `MEMBER`: any other member
         * @enum {string}
         */
        MemberRole: "ADMINISTRATOR" | "MEMBER";
        /**
         * @description - `INVITED`: asked to join; has no say in the team yet
         *     - `ACTIVE`: belongs to the team
         *     - `REMOVED`: has left or was removed, at `removedAt`; adding the employee again makes another status of it
         * @example ACTIVE
         * @enum {string}
         */
        MemberStatus: "INVITED" | "ACTIVE" | "REMOVED";
        /**
         * Format: date-time
         * @description When the member left or was removed; null unless `REMOVED`.
         * @example null
         */
        RemovedAt: string | null;
        ExportedMembership: {
            teamId: components["schemas"]["TeamId"];
            /**
             * @description The name of the team.
             * @example North Studio
             */
            name: string;
            role: components["schemas"]["MemberRole"];
            status: components["schemas"]["MemberStatus"];
            joinedAt: components["schemas"]["Timestamp"];
            removedAt: components["schemas"]["RemovedAt"];
        };
        ExportedReply: {
            /** @example Thank you for your request. */
            text: string;
            createdAt: components["schemas"]["Timestamp"];
        };
        /** @description A form that was sent with the user's verified e-mail address. Fields that the form does not have are null. */
        ExportedContactForm: {
            id: components["schemas"]["Uuid"];
            /** @enum {string} */
            kind: "lead" | "support";
            /** @example customer@example.com */
            email: string;
            /** @example Ada Lovelace */
            name: string | null;
            /** @example null */
            phone: string | null;
            /** @example null */
            company: string | null;
            /** @example null */
            subject: string | null;
            /** @example We need an online shop. */
            message: string | null;
            createdAt: components["schemas"]["Timestamp"];
            /** @description What the back office has replied, oldest first. */
            replies: components["schemas"]["ExportedReply"][];
        };
        /** @description An invitation that the user has sent, or that was sent to the user's verified e-mail address, and that nobody has accepted. */
        ExportedInvitation: {
            id: components["schemas"]["Uuid"];
            /** @example colleague@example.com */
            email: string;
            role: components["schemas"]["PlatformRole"];
            /** @description Whether the user has sent it. */
            isSent: boolean;
            createdAt: components["schemas"]["Timestamp"];
            expiresAt: components["schemas"]["Timestamp"];
        };
        /**
         * @description Which mail it is; `unknown` for a mail of another release. A later release may add mails.
         * @example verification-code
         */
        MailTemplate: "verification-code" | "reset-password-code" | "email-change-code" | "sign-in-code" | "new-device-code" | "email-change-taken" | "wrong-kind" | "email-change-requested" | "email-changed" | "password-changed" | "second-factor-changed" | "new-device" | "account-deleted" | "guessing-paused" | "wrong-factors" | "invitation-accepted" | "administrator-registered" | "platform-role-assigned" | "platform-role-given" | "platform-role-removed" | "setup-removed" | "identity-linked" | "identity-unlinked" | "invitation" | "lead-request" | "support-request" | "contact-reply" | "service-message" | "unknown" | (string & {});
        ExportedMail: {
            id: components["schemas"]["Uuid"];
            mail: components["schemas"]["MailTemplate"];
            /**
             * @description The other service whose mail it is.
             * @example null
             */
            service: string | null;
            /** @example customer@example.com */
            recipient: string;
            /**
             * @description `sent`: the mail server has accepted it.
             * @enum {string}
             */
            state: "waiting" | "sent" | "failed";
            /**
             * Format: date-time
             * @description When the state began.
             * @example 2026-11-20T09:30:00.000Z
             */
            at: string;
            /**
             * @description Why the last attempt failed; null if none has and once the mail is sent.
             * @example null
             */
            failure: string | null;
        };
        /**
         * @description A later release may add actions.
         * @example ACCOUNT_DELETED
         */
        AuditAction: "ACCOUNT_DELETED" | "ACCOUNT_EXPORTED" | "ACCOUNT_IMPORTED" | "ACCOUNT_REGISTERED" | "ADMINISTRATOR_NAME_CHANGED" | "ADMINISTRATOR_REGISTERED" | "CONTACT_REQUEST_ASSIGNED" | "CONTACT_REQUEST_DONE" | "CONTACT_REQUEST_NOTE_ADDED" | "CONTACT_REQUEST_REOPENED" | "CONTACT_REQUEST_REPLIED" | "EMAIL_CHANGED" | "EMAIL_CHANGE_REQUESTED" | "EMAIL_VERIFIED" | "IDENTITY_LINKED" | "IDENTITY_UNLINKED" | "IDENTITY_USED" | "INVITATION_ACCEPTED" | "INVITATION_REJECTED" | "INVITATION_SENT" | "INVITATION_WITHDRAWN" | "MAIL_DELETED" | "MAIL_RETRIED" | "PASSKEY_ADDED" | "PASSKEY_REMOVED" | "PASSKEY_RENAMED" | "PASSWORD_CHANGED" | "PASSWORD_RESET" | "PAUSE_ENDED" | "PROFILE_CHANGED" | "PROJECT_CREATED" | "PROJECT_DELETED" | "PROJECT_EDITED" | "PROJECT_RESTORED" | "PROJECT_STATUS_CHANGED" | "PROVIDER_LOGOUT" | "RECOVERY_CODES_REPLACED" | "RECOVERY_CODE_USED" | "REFRESH_TOKEN_REUSED" | "RESET_MAIL_SENT" | "ROLE_ASSIGNED" | "ROLE_REMOVED" | "SECOND_FACTOR_RESET" | "SECOND_STEP_DISABLED" | "SECOND_STEP_ENABLED" | "SESSIONS_ENDED" | "SESSION_ENDED" | "SIGNED_IN" | "SIGN_IN_FAILED" | "TEAM_CREATED" | "TEAM_EDITED" | "TEAM_MEMBER_ADDED" | "TEAM_MEMBER_CHANGED" | "TEAM_MEMBER_REMOVED" | "TEAM_VERIFIED" | "TOTP_DISABLED" | "TOTP_ENABLED" | "USER_BLOCKED" | "USER_NOTE_ADDED" | "USER_UNBLOCKED" | "VERIFICATION_MAIL_SENT" | (string & {});
        ExportedAuditRecord: {
            id: components["schemas"]["Uuid"];
            action: components["schemas"]["AuditAction"];
            /**
             * Format: uuid
             * @description The user who acted; null when nobody was signed in.
             */
            actorId: string | null;
            /**
             * @description What `targetId` names. A later release may add types.
             * @example USER
             */
            targetType: string;
            /**
             * @description The user or thing that was changed, mostly by its id.
             * @example 5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11
             */
            targetId: string;
            /**
             * @description Null if another user acted.
             * @example 203.0.113.7
             */
            address: string | null;
            /**
             * @description Depends on the action.
             * @example {
             *       "kind": "customer"
             *     }
             */
            details: {
                [key: string]: unknown;
            };
            createdAt: components["schemas"]["Timestamp"];
        };
        /** @description Records of which the user is the actor or the target, newest first. */
        ExportedAuditRecords: components["schemas"]["ExportedAuditRecord"][];
        /**
         * @description Null at the end.
         * @example null
         */
        NextAuditCursor: string | null;
        /** @description What is stored about the user, except secrets and the notes of the back office. */
        AccountExport: {
            exportedAt: components["schemas"]["Timestamp"];
            user: components["schemas"]["ExportedUser"];
            profiles: components["schemas"]["UserProfiles"];
            /** @description Also signed-out ones. */
            sessions: components["schemas"]["ExportedSession"][];
            secondFactor: components["schemas"]["ExportedSecondFactor"];
            /** @description The pauses of the account after many failed attempts. */
            pauses: components["schemas"]["ExportedPause"][];
            /** @description Without one, a provider or a passkey signs in. */
            hasPassword: boolean;
            identities: components["schemas"]["ExportedIdentity"][];
            /** @description Deleted ones too. */
            projects: components["schemas"]["ExportedProject"][];
            /** @description The memberships, also invitations and those that have ended. */
            teams: components["schemas"]["ExportedMembership"][];
            contactForms: components["schemas"]["ExportedContactForm"][];
            invitations: components["schemas"]["ExportedInvitation"][];
            /** @description The mails to the user, newest first, without their texts. Of a code that waits to be sent there is none. */
            mails: components["schemas"]["ExportedMail"][];
            auditRecords: components["schemas"]["ExportedAuditRecords"];
            nextAuditCursor: components["schemas"]["NextAuditCursor"];
        };
        /** @description The next audit records of the user. */
        AuditRecordsExport: {
            auditRecords: components["schemas"]["ExportedAuditRecords"];
            nextAuditCursor: components["schemas"]["NextAuditCursor"];
        };
    };
    responses: {
        /** @description `EMAIL_TAKEN`: an account of any kind has this e-mail, in any letter case. */
        EmailTaken: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 409,
                 *       "error": "Conflict",
                 *       "code": "EMAIL_TAKEN",
                 *       "message": "An account with this e-mail already exists",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `WORKSPACE_FORBIDDEN`: the caller is not an ADMIN
         *     - `DOMAIN_NOT_ALLOWED`: the e-mail's domain is not on the allow-list
         *     - `REGISTRATION_CLOSED`: the first administrator can no longer register without a token
         *     - `SECOND_FACTOR_ENROLMENT_REQUIRED`: the caller must first sign in with a second factor
         *     - `PROOF_REQUIRED`: the sign-in of the caller is too old: send a proof to `auth/admin/proof`, and repeat the request
         */
        RegistrationRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "error": "Forbidden",
                 *       "code": "DOMAIN_NOT_ALLOWED",
                 *       "message": "Administrators need an e-mail address of an allowed domain",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `CURRENT_PASSWORD_WRONG`: the current password is wrong, or the account has none and one was sent
         *     - `VALIDATION_FAILED`: the request is invalid; `details` lists the fields. The current password is required (`required`) if the account
         *       has one
         */
        PasswordChangeRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 400,
                 *       "error": "Bad Request",
                 *       "code": "CURRENT_PASSWORD_WRONG",
                 *       "message": "The current password is wrong",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `TOKEN_INVALID`: missing, malformed, expired, forged, no longer registered, or a token of another kind
         *     - `USER_BLOCKED`: the user is blocked
         *     - `SECOND_FACTOR_INVALID`: the code, recovery code or passkey is wrong, was used before or has expired
         */
        SecondFactorRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 401,
                 *       "error": "Unauthorized",
                 *       "code": "SECOND_FACTOR_INVALID",
                 *       "message": "The second factor is wrong or no longer valid",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `FACTOR_REQUIRED`: a second step is due, so a factor is required beside the password. The body has the `factors` that the account
         *       has
         *     - `REAUTHENTICATION_REQUIRED`: the account has no password: prove a second factor, or sign in again
         *     - `SECOND_FACTOR_ENROLMENT_REQUIRED`: the platform requires a second factor of the caller's role
         */
        FactorMissing: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] | components["schemas"]["FactorRequired"];
            };
        };
        /** @description `REAUTHENTICATION_REQUIRED`: the account has no password: prove a second factor, or sign in again. */
        ReauthenticationRequired: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "error": "Forbidden",
                 *       "code": "REAUTHENTICATION_REQUIRED",
                 *       "message": "Sign in again, or prove a second factor",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `EMAIL_NOT_VERIFIED`: second factors and identities need a verified e-mail address
         *     - `REAUTHENTICATION_REQUIRED`: the account has no password: prove a second factor, or sign in again
         */
        EnrolmentForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "error": "Forbidden",
                 *       "code": "EMAIL_NOT_VERIFIED",
                 *       "message": "Verify the e-mail address of this account first",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description - `EMAIL_NOT_VERIFIED`: second factors and identities need a verified e-mail address */
        EmailNotVerified: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "error": "Forbidden",
                 *       "code": "EMAIL_NOT_VERIFIED",
                 *       "message": "Verify the e-mail address of this account first",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description `RATE_LIMITED`: too many wrong current passwords or second factors of this user, too many changes of the account (ten an
         *     hour of each kind), or too many requests from this address. The limits are those of sign-ins, which count together.
         */
        TooManyWrongPasswords: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 429,
                 *       "error": "Too Many Requests",
                 *       "code": "RATE_LIMITED",
                 *       "message": "Too many wrong passwords; retry later.",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `RATE_LIMITED`: ten changes of the second factors or of the identities within an hour, or too many requests from this address */
        TooManyChanges: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 429,
                 *       "error": "Too Many Requests",
                 *       "code": "RATE_LIMITED",
                 *       "message": "Too many changes of this account; retry later.",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `LAST_SIGN_IN_METHOD`: no password, passkey or identity would be left to sign in with. An identity at a provider that is not configured does not count. */
        LastSignInMethod: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 409,
                 *       "error": "Conflict",
                 *       "code": "LAST_SIGN_IN_METHOD",
                 *       "message": "This is the last way to sign in; add another one first",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `TOKEN_INVALID`: missing, malformed, expired, forged, no longer registered, or a token of another kind
         *     - `USER_BLOCKED`: the user is blocked
         *     - `SESSION_NOT_FOUND`: the fingerprint, or X-Session-Id if given, is not of the token's session
         */
        SessionRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 401,
                 *       "error": "Unauthorized",
                 *       "code": "SESSION_NOT_FOUND",
                 *       "message": "Session not found for this token and device",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `SESSION_NOT_FOUND`: the caller has no session with this id, or it has ended. */
        SessionNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 404,
                 *       "error": "Not Found",
                 *       "code": "SESSION_NOT_FOUND",
                 *       "message": "Session not found",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `TOKEN_INVALID`: missing, malformed, expired, forged, no longer registered, or a token of another kind
         *     - `USER_BLOCKED`: the user is blocked
         *     - `SESSION_NOT_FOUND`: the session id or the fingerprint is not of the token's session
         *     - `REFRESH_TOKEN_SUPERSEDED`: another request has just exchanged this token (two tabs at once). Nothing is
         *       revoked and no cookie is set: use the pair of the other request
         *     - `REFRESH_TOKEN_REUSED`: the token was exchanged before. The session's tokens are revoked and the cookie is
         *       cleared: sign in again
         */
        RefreshRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `SECOND_FACTOR_MISSING`: no second step is due, so recovery codes would replace no factor. */
        SecondFactorMissing: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 409,
                 *       "error": "Conflict",
                 *       "code": "SECOND_FACTOR_MISSING",
                 *       "message": "Add an authenticator app or a passkey first",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `SECOND_FACTOR_NEEDED`: the platform requires a second factor of the role of the user, whose last factor stays. */
        SecondFactorNeeded: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 409,
                 *       "error": "Conflict",
                 *       "code": "SECOND_FACTOR_NEEDED",
                 *       "message": "The authenticator app or the platform role needs the second step",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `SECOND_FACTOR_MISSING`: the user has neither an authenticator app nor a passkey
         *     - `SECOND_FACTOR_NEEDED`: the authenticator app or the platform role of the user needs the second step
         */
        SecondStepChangeRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `SECOND_FACTOR_ENABLED`: an authenticator app is already a second factor; remove it first. */
        SecondFactorEnabled: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 409,
                 *       "error": "Conflict",
                 *       "code": "SECOND_FACTOR_ENABLED",
                 *       "message": "The authenticator app is already set up",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `ROUTE_NOT_FOUND`: passkeys are off, because `WEBAUTHN_RP_ID` is not set. */
        PasskeysOff: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 404,
                 *       "error": "Not Found",
                 *       "code": "ROUTE_NOT_FOUND",
                 *       "message": "There is no such route",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `PASSKEY_NOT_FOUND`: there is no such passkey, or the user has none
         *     - `ROUTE_NOT_FOUND`: passkeys are off, because `WEBAUTHN_RP_ID` is not set
         */
        PasskeyNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 404,
                 *       "error": "Not Found",
                 *       "code": "PASSKEY_NOT_FOUND",
                 *       "message": "Passkey not found",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `PASSKEY_LIMIT_REACHED`: the account has 20 passkeys; remove one first. */
        PasskeyLimitReached: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 409,
                 *       "error": "Conflict",
                 *       "code": "PASSKEY_LIMIT_REACHED",
                 *       "message": "An account has at most 20 passkeys; remove one first",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `LAST_SIGN_IN_METHOD`: no password, identity or passkey that can sign in alone would be left
         *     - `SECOND_FACTOR_NEEDED`: the platform requires a second factor of the role of the user, whose last factor stays
         */
        PasskeyRemovalRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `PASSKEY_TAKEN`: the passkey is already registered, by this or another account
         *     - `PASSKEY_LIMIT_REACHED`: the account has 20 passkeys; remove one first
         */
        PasskeyRegistrationRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `PROVIDER_NOT_FOUND`: `OIDC_PROVIDERS` does not name the provider, or its `OIDC_<NAME>_KINDS` does not name this kind. */
        ProviderNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 404,
                 *       "error": "Not Found",
                 *       "code": "PROVIDER_NOT_FOUND",
                 *       "message": "Provider not found",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description `OIDC_PROVIDER_UNAVAILABLE`: the provider does not respond, or its response is invalid; `SERVICE_UNAVAILABLE`: a component is overloaded or
         *     unavailable.
         */
        ProviderUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 503,
                 *       "error": "Service Unavailable",
                 *       "code": "OIDC_PROVIDER_UNAVAILABLE",
                 *       "message": "The provider is unavailable; retry later.",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `VALIDATION_FAILED`: the logout token is not valid, or was used before. */
        LogoutRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 400,
                 *       "error": "Bad Request",
                 *       "code": "VALIDATION_FAILED",
                 *       "message": "The logout token is not valid",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d",
                 *       "details": [
                 *         {
                 *           "path": "/body/logout_token",
                 *           "message": "must be a valid logout token",
                 *           "rule": "logout-token"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `EMAIL_NOT_VERIFIED`: second factors and identities need a verified e-mail address
         *     - `PROVIDER_NOT_ALLOWED`: the user holds a platform role, and the provider may not sign in administrators
         *     - `REAUTHENTICATION_REQUIRED`: the account has no password: prove a second factor, or sign in again
         */
        IdentityForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "error": "Forbidden",
                 *       "code": "PROVIDER_NOT_ALLOWED",
                 *       "message": "This provider may not sign in users with a platform role",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `TOKEN_INVALID`: missing, malformed, expired, forged, no longer registered, or a token of another kind
         *     - `USER_BLOCKED`: the user is blocked
         *     - `OIDC_STATE_INVALID`: the sign-in at the provider is unknown, used or expired, is of another device, kind or provider, or the
         *       callback is at another address than the redirect URI
         *     - `OIDC_DENIED`: the provider returned an error, for example because the user cancelled
         *     - `OIDC_RESPONSE_INVALID`: the provider's response is not valid: signature, issuer, audience, nonce or expiry
         */
        LinkRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 401,
                 *       "error": "Unauthorized",
                 *       "code": "OIDC_STATE_INVALID",
                 *       "message": "This sign-in is unknown, used or expired; start again",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `IDENTITY_TAKEN`: the identity is linked to another account. */
        IdentityTaken: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 409,
                 *       "error": "Conflict",
                 *       "code": "IDENTITY_TAKEN",
                 *       "message": "This identity is linked to another account",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `IDENTITY_NOT_FOUND`: the user has no such identity. */
        IdentityNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 404,
                 *       "error": "Not Found",
                 *       "code": "IDENTITY_NOT_FOUND",
                 *       "message": "Identity not found",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `ROUTE_NOT_FOUND`: sign-in with a mailed code is off (`EMAIL_CODE_SIGN_IN=off`). */
        EmailCodeSignInOff: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 404,
                 *       "error": "Not Found",
                 *       "code": "ROUTE_NOT_FOUND",
                 *       "message": "There is no such route",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `INVALID_CREDENTIALS`: unknown e-mail, wrong password, or no account of this kind
         *     - `USER_BLOCKED`: the password is correct, but the user is blocked
         *     - `SECOND_FACTOR_REQUIRED`: the password is correct, and a second step is due. The body has a `challenge` and the
         *       possible `factors` for `sign-in/second-factor`
         */
        SignInRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] | components["schemas"]["SecondFactorRequired"];
            };
        };
        /** @description `FACTOR_NOT_OFFERED`: the factor is none of the `factors` of the sign-in */
        FactorNotOffered: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 409,
                 *       "error": "Conflict",
                 *       "code": "FACTOR_NOT_OFFERED",
                 *       "message": "This sign-in does not accept this factor",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description Only after the correct code, which is used up:
         *     - `USER_BLOCKED`: the user is blocked
         *     - `SECOND_FACTOR_REQUIRED`: finish the sign-in with the `challenge` and one of the `factors`
         */
        EmailCodeSignInRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] | components["schemas"]["SecondFactorRequired"];
            };
        };
        /**
         * @description - `DOMAIN_NOT_ALLOWED`: the e-mail's domain is not on the allow-list (the password is not checked)
         *     - `PLATFORM_ROLE_INVALID`: the password is correct, but the user does not hold exactly one platform role
         */
        NotEligible: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "error": "Forbidden",
                 *       "code": "PLATFORM_ROLE_INVALID",
                 *       "message": "The user does not hold exactly one platform role",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description `RATE_LIMITED`: too many wrong passwords or second factors of this account, or too many requests from this address.
         *
         *     Passwords, second factors and e-mail codes count separately. After five failures of a client network (an IPv4 address, or
         *     the /64 of an IPv6 address; forty of its /48) at an account, each further failure doubles the delay, from one second up
         *     to fifteen minutes. Rejected attempts do not count; a success resets the delay. After 100 consecutive failures at an
         *     account, over all networks, it is paused for an hour, and twice as long after every further 100, up to a day; a device
         *     that has signed in from the same network before is exempt. The owner is notified.
         */
        TooManySignInAttempts: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 429,
                 *       "error": "Too Many Requests",
                 *       "code": "RATE_LIMITED",
                 *       "message": "Too many wrong passwords; retry later.",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `PLATFORM_ROLE_INVALID`: the user holds no platform role any more, or several */
        SecondStepForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "error": "Forbidden",
                 *       "code": "PLATFORM_ROLE_INVALID",
                 *       "message": "The user does not hold exactly one platform role",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `SECOND_FACTOR_INVALID`: the code, recovery code or passkey is wrong, was used before or has expired
         *     - `CHALLENGE_INVALID`: the challenge is unknown, used or expired, has no attempts left, is of another device, or is from before a
         *       change of the password, the factors or the platform role: sign in again
         *     - `USER_BLOCKED`: the user is blocked
         */
        SecondStepRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description `CHALLENGE_INVALID`: the challenge is unknown, used or expired, has no attempts left, is of another device, or is from before a
         *     change of the password, the factors or the platform role: sign in again.
         */
        ChallengeRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 401,
                 *       "error": "Unauthorized",
                 *       "code": "CHALLENGE_INVALID",
                 *       "message": "The sign-in has expired; start again",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `SECOND_FACTOR_INVALID`: the response of the passkey is wrong, the options were used, have expired or are of another device, or
         *       the user has no account of this kind
         *     - `USER_BLOCKED`: the user is blocked
         */
        PasskeyRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 401,
                 *       "error": "Unauthorized",
                 *       "code": "SECOND_FACTOR_INVALID",
                 *       "message": "The second factor is wrong or no longer valid",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `OIDC_STATE_INVALID`: the sign-in at the provider is unknown, used or expired, is of another device, kind or provider, or the
         *       callback is at another address than the redirect URI
         *     - `OIDC_DENIED`: the provider returned an error, for example because the user cancelled
         *     - `OIDC_RESPONSE_INVALID`: the provider's response is not valid: signature, issuer, audience, nonce or expiry
         *     - `USER_BLOCKED`: the user is blocked
         *     - `SECOND_FACTOR_REQUIRED`: the account has a second factor, as after the correct password
         */
        ProviderSignInRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] | components["schemas"]["SecondFactorRequired"];
            };
        };
        /**
         * @description - `OIDC_EMAIL_UNVERIFIED`: the identity is unknown here, and the provider has not verified its e-mail address
         *     - `OIDC_NO_ACCOUNT`: no account has the address, and the provider does not create accounts of this kind
         *     - `PROVIDER_NOT_ALLOWED`: the user holds a platform role, and the provider may not sign in administrators
         */
        ProviderSignInForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "error": "Forbidden",
                 *       "code": "OIDC_NO_ACCOUNT",
                 *       "message": "There is no account for this identity",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `OIDC_EMAIL_UNVERIFIED`: the identity is unknown here, and the provider has not verified its e-mail address
         *     - `OIDC_NO_ACCOUNT`: no account has the address; a provider never creates administrators
         *     - `DOMAIN_NOT_ALLOWED`: the domain of the e-mail is not on the allow-list
         *     - `PLATFORM_ROLE_INVALID`: the user does not hold exactly one platform role
         */
        AdministratorProviderSignInForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "error": "Forbidden",
                 *       "code": "OIDC_NO_ACCOUNT",
                 *       "message": "There is no account for this identity",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `ACCOUNT_EXISTS`: an account has the address, and the identity is not linked to it: sign in, then link. The body has
         *       the `email`, which the provider has verified
         *     - `EMAIL_TAKEN`: the account with the address, or with the identity, is of another kind
         */
        AccountConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] | components["schemas"]["AccountExists"];
            };
        };
        /**
         * @description - `CODE_INVALID`: the code is wrong, expired or used, or has no attempts left: five per client network (IPv4 address,
         *       IPv6 /64) and twenty in total. The response does not tell these cases apart
         *     - `VALIDATION_FAILED`: the request is invalid; `details` lists the fields
         */
        CodeRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 400,
                 *       "error": "Bad Request",
                 *       "code": "CODE_INVALID",
                 *       "message": "The code is wrong or no longer valid",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `EMAIL_ALREADY_VERIFIED`: the e-mail is already verified. */
        EmailAlreadyVerified: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 409,
                 *       "error": "Conflict",
                 *       "code": "EMAIL_ALREADY_VERIFIED",
                 *       "message": "The e-mail is already verified",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `RESEND_LOCKED`: a code was sent less than two minutes ago and was not accepted since, or ten were sent to this e-mail
         *       for this purpose within an hour or thirty within a day. The same holds for an unknown e-mail
         *     - `RATE_LIMITED`: too many requests from this address
         */
        ResendLocked: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 429,
                 *       "error": "Too Many Requests",
                 *       "code": "RESEND_LOCKED",
                 *       "message": "No further code can be sent yet; retry later.",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description `RATE_LIMITED`: a hundred consecutive wrong codes of this account, over all purposes, pause its codes for an hour, and twice
         *     as long after every further hundred, up to a day; or too many requests from this address. The same holds for an unknown e-mail.
         *
         *     At the reset of a verified e-mail, a device that has signed in from the same network before is exempt from the pause. No
         *     device is exempt if the code proves an e-mail that is not verified yet.
         */
        TooManyWrongCodes: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 429,
                 *       "error": "Too Many Requests",
                 *       "code": "RATE_LIMITED",
                 *       "message": "Too many wrong codes; retry later.",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `TOKEN_INVALID`: missing, malformed, expired, forged, no longer registered, or a token of another kind
         *     - `USER_BLOCKED`: the user is blocked
         *     - `REFRESH_TOKEN_SUPERSEDED`: another request has just exchanged this token; repeat with the new one
         *     - `REFRESH_TOKEN_REUSED`: the token was exchanged before. The session's tokens are revoked and the cookie is cleared
         *     - `SECOND_FACTOR_INVALID`: the code, recovery code or passkey is wrong, was used before or has expired
         */
        ChangeTokenRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 401,
                 *       "error": "Unauthorized",
                 *       "code": "REFRESH_TOKEN_REUSED",
                 *       "message": "The refresh token was already used; its session is revoked",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `DOMAIN_NOT_ALLOWED`: who holds a platform role needs an address of an allowed domain
         *     - `REAUTHENTICATION_REQUIRED`: the account has no password: prove a second factor, or sign in again
         */
        NewEmailForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "error": "Forbidden",
                 *       "code": "DOMAIN_NOT_ALLOWED",
                 *       "message": "Administrators need an e-mail address of an allowed domain",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `DOMAIN_NOT_ALLOWED`: a platform role was given since the code was sent, and needs an address of an allowed domain. */
        NewDomainNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "error": "Forbidden",
                 *       "code": "DOMAIN_NOT_ALLOWED",
                 *       "message": "Administrators need an e-mail address of an allowed domain",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `RESEND_LOCKED`: this user was sent a code to this address less than two minutes ago, or ten were sent to it or requested by this user within an hour or
         *       thirty within a day
         *     - `RATE_LIMITED`: too many wrong current passwords of this user, or too many requests from this address
         */
        EmailChangeLocked: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 429,
                 *       "error": "Too Many Requests",
                 *       "code": "RESEND_LOCKED",
                 *       "message": "No further code can be sent yet; retry later.",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `PLATFORM_ROLE_TAKEN`: the user holds a platform role, which must be removed first
         *     - `LAST_TEAM_ADMINISTRATOR`: the user is the last administrator of a team
         */
        DeletionRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `CODE_INVALID`: wrong, used, replaced, withdrawn or older than seven days, or the address meanwhile has an account that is verified,
         *       blocked or holds a platform role. The audit log says which of them, if the code is known
         *     - `VALIDATION_FAILED`: the request is invalid; `details` lists the fields
         */
        InvitationRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 400,
                 *       "error": "Bad Request",
                 *       "code": "CODE_INVALID",
                 *       "message": "The invitation is no longer valid",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `DOMAIN_NOT_ALLOWED`: the allow-list of domains has changed since the invitation. */
        InvitationDomainNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "error": "Forbidden",
                 *       "code": "DOMAIN_NOT_ALLOWED",
                 *       "message": "Administrators need an e-mail address of an allowed domain",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `ROUTE_NOT_FOUND`: bots are not checked (`BOT_CHECK=off`). */
        BotCheckOff: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 404,
                 *       "error": "Not Found",
                 *       "code": "ROUTE_NOT_FOUND",
                 *       "message": "There is no such route",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description Errors of any operation:
         *     - 400 `VALIDATION_FAILED`: malformed request, such as an invalid percent-encoding, or a body that is not valid JSON
         *     - 403 `SECOND_FACTOR_ENROLMENT_REQUIRED`, with a token: the platform requires a second factor of the caller's role. Until the
         *       caller has signed in with one, only the operations with `x-before-enrolment` are allowed: the own second factor and
         *       passkeys, the verification of the e-mail, me, `session`, `sessions`, refresh and sign-out
         *     - 404 `ROUTE_NOT_FOUND` (a trailing slash makes a different path), 405 `METHOD_NOT_ALLOWED` (with `Allow`)
         *     - 408 `REQUEST_TIMEOUT` (the body took longer than 10 s; the connection is closed)
         *     - 413 `BODY_TOO_LARGE` (over 102,400 bytes), 431 `HEADERS_TOO_LARGE`
         *     - 415 `UNSUPPORTED_MEDIA_TYPE`, for a body where none is documented
         *     - 421 `HOST_UNKNOWN`, in development only: the request is for another host than this machine and those of the settings
         *     - 500 `INTERNAL_ERROR`
         *     - 502 `UPSTREAM_UNAVAILABLE` (with `Retry-After`), 504 `UPSTREAM_TIMEOUT`
         *     - 503 `SERVICE_UNAVAILABLE` (with `Retry-After`): a component is overloaded or unavailable, or request bodies use too much memory
         */
        OtherError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                Allow: components["headers"]["Allow"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 503,
                 *       "error": "Service Unavailable",
                 *       "code": "SERVICE_UNAVAILABLE",
                 *       "message": "Database unavailable; retry later.",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `VALIDATION_FAILED`: the request is invalid; `details` lists the fields. */
        ValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 400,
                 *       "error": "Bad Request",
                 *       "code": "VALIDATION_FAILED",
                 *       "message": "The request breaks the contract",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d",
                 *       "details": [
                 *         {
                 *           "path": "/headers/x-fingerprint",
                 *           "message": "must have required property 'x-fingerprint'",
                 *           "rule": "required",
                 *           "params": {
                 *             "missingProperty": "x-fingerprint"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description Only where the platform keeps bots out; judged after the validation.
         *     - `BOT_CHECK_REQUIRED`: `X-Bot-Check` is missing or empty
         *     - `BOT_CHECK_FAILED`: the solution is wrong, was used before or has expired
         */
        BotCheckRejected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "error": "Forbidden",
                 *       "code": "BOT_CHECK_REQUIRED",
                 *       "message": "Solve a challenge of /auth/bot-check, and send X-Bot-Check",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description `UNSUPPORTED_MEDIA_TYPE`: the body does not have the documented media type, is not in UTF-8, or has a `Content-Encoding` other
         *     than `gzip`, `deflate` and `br`.
         */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 415,
                 *       "error": "Unsupported Media Type",
                 *       "code": "UNSUPPORTED_MEDIA_TYPE",
                 *       "message": "The body must be application/json in UTF-8",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description `RATE_LIMITED`: over 600 requests a minute from a client network, of which 60 with a password or to start a session, 120
         *     refreshes, 30 about codes and 20 contact forms; or too many at once
         */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 429,
                 *       "error": "Too Many Requests",
                 *       "code": "RATE_LIMITED",
                 *       "message": "Too many requests; retry later.",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `TOKEN_INVALID`: missing, malformed, expired, forged, no longer registered, or a token of another kind
         *     - `USER_BLOCKED`: the user is blocked
         */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `RATE_LIMITED`: the ADMIN has given twenty platform roles within an hour (by invitation, assignment and registration together), or too many requests came from this address. */
        TooManyRoleGrants: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 429,
                 *       "error": "Too Many Requests",
                 *       "code": "RATE_LIMITED",
                 *       "message": "Too many platform roles given; retry later.",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: {
        /**
         * @description The language of the mails to the user, English or German: that of the sign-up, and later of the user's own signed-in
         *     requests, whichever they are. Browsers send this header.
         * @example en
         */
        Language: string;
        /**
         * @description The time zone of times in mails to the user, an IANA name: that of the sign-up, and later of the user's own signed-in requests,
         *     whichever they are. An unknown one is ignored. Without one, times are in UTC.
         * @example Europe/Berlin
         */
        TimeZone: string;
        /**
         * @description Identifies the device; an opaque value for the platform.
         * @example 7d1f6f0c9b
         */
        Fingerprint: string;
        /**
         * @description The `id` of a session in the list of sessions.
         * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
         */
        EndedSessionId: string;
        /** @description The `session.id` of the sign-in. */
        SessionId: string;
        /** @description The `session.id` of the sign-in; if given, it must be the token's session. */
        OptionalSessionId: string;
        /**
         * @description The `id` of a passkey of the user.
         * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
         */
        PasskeyId: string;
        /**
         * @description The `id` of a provider.
         * @example company
         */
        Provider: string;
        /**
         * @description The `id` of the provider of the new identity.
         * @example company
         */
        IdentityProvider: string;
        /**
         * @description The `id` of an identity of the user.
         * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
         */
        IdentityId: string;
        /**
         * @description Identifies the device. If the e-mail is verified, a device that has signed in from its network before may enter a
         *     code while the account is paused because of wrong codes from elsewhere. With `NEW_DEVICE_CODE`, the device that sets
         *     the new password needs no code at its next sign-in within 15 minutes.
         * @example 7d1f6f0c9b
         */
        OptionalFingerprint: string;
        /**
         * @description Identifies the device. If the e-mail is verified, a device that has signed in from its network before may request three
         *     more codes an hour than the limits allow.
         * @example 7d1f6f0c9b
         */
        RequestingFingerprint: string;
        /**
         * @description The base64 solution of a challenge (`/auth/bot-check`), where the platform keeps bots out. The client of the platform solves it
         *     when it is asked to.
         * @example eyJjaGFsbGVuZ2UiOnt9LCJzb2x1dGlvbiI6e319
         */
        BotCheck: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description `CustomerRefreshToken`, `EmployeeRefreshToken` or `AdminRefreshToken`: httpOnly, secure, sameSite none, path /, Max-Age the refresh
         *     lifetime in seconds; cleared by sign-out and by the deletion of the account.
         */
        RefreshCookie: string;
        /**
         * @description Identifies the request in all logs. Taken from the request if it is 1 to 128 characters of `[A-Za-z0-9._-]`, else generated.
         * @example 0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d
         */
        XRequestId: string;
        /**
         * @description The rate limit of this request with the remaining requests `r` and the seconds `t` until it resets.
         * @example "all";r=599;t=60
         */
        RateLimit: string;
        /**
         * @description The rate limit of this request with its requests `q` in a window of `w` seconds for each client network.
         * @example "all";q=600;w=60
         */
        RateLimitPolicy: string;
        /**
         * @description The methods of the path; with 405.
         * @example GET, POST
         */
        Allow: string;
        /**
         * @description Seconds to wait before the next attempt; with 429, 503 and a 502 of the gateway.
         * @example 2
         */
        RetryAfter: number;
        /** @description The authentication scheme. */
        Challenge: "Bearer";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    customerSignUp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The language of the mails to the user, English or German: that of the sign-up, and later of the user's own signed-in
                 *     requests, whichever they are. Browsers send this header.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["Language"];
                /**
                 * @description The time zone of times in mails to the user, an IANA name: that of the sign-up, and later of the user's own signed-in requests,
                 *     whichever they are. An unknown one is ignored. Without one, times are in UTC.
                 * @example Europe/Berlin
                 */
                "X-Time-Zone"?: components["parameters"]["TimeZone"];
                /**
                 * @description The base64 solution of a challenge (`/auth/bot-check`), where the platform keeps bots out. The client of the platform solves it
                 *     when it is asked to.
                 * @example eyJjaGFsbGVuZ2UiOnt9LCJzb2x1dGlvbiI6e319
                 */
                "X-Bot-Check"?: components["parameters"]["BotCheck"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "new-customer@example.com",
                 *       "password": "Password123!",
                 *       "firstName": "Ada",
                 *       "lastName": "Lovelace"
                 *     }
                 */
                "application/json": components["schemas"]["CustomerAuthSignUpDto"];
            };
        };
        responses: {
            /** @description The new account. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAuthSignUpResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            403: components["responses"]["BotCheckRejected"];
            409: components["responses"]["EmailTaken"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSignUp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The language of the mails to the user, English or German: that of the sign-up, and later of the user's own signed-in
                 *     requests, whichever they are. Browsers send this header.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["Language"];
                /**
                 * @description The time zone of times in mails to the user, an IANA name: that of the sign-up, and later of the user's own signed-in requests,
                 *     whichever they are. An unknown one is ignored. Without one, times are in UTC.
                 * @example Europe/Berlin
                 */
                "X-Time-Zone"?: components["parameters"]["TimeZone"];
                /**
                 * @description The base64 solution of a challenge (`/auth/bot-check`), where the platform keeps bots out. The client of the platform solves it
                 *     when it is asked to.
                 * @example eyJjaGFsbGVuZ2UiOnt9LCJzb2x1dGlvbiI6e319
                 */
                "X-Bot-Check"?: components["parameters"]["BotCheck"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "new-employee@example.com",
                 *       "password": "Password123!",
                 *       "firstName": "Grace",
                 *       "lastName": "Hopper"
                 *     }
                 */
                "application/json": components["schemas"]["EmployeeAuthSignUpDto"];
            };
        };
        responses: {
            /** @description The new account. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeAuthSignUpResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            403: components["responses"]["BotCheckRejected"];
            409: components["responses"]["EmailTaken"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorRegister: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The language of the mails to the user, English or German: that of the sign-up, and later of the user's own signed-in
                 *     requests, whichever they are. Browsers send this header.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["Language"];
                /**
                 * @description The time zone of times in mails to the user, an IANA name: that of the sign-up, and later of the user's own signed-in requests,
                 *     whichever they are. An unknown one is ignored. Without one, times are in UTC.
                 * @example Europe/Berlin
                 */
                "X-Time-Zone"?: components["parameters"]["TimeZone"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "new-admin@example.com",
                 *       "password": "Password123!"
                 *     }
                 */
                "application/json": components["schemas"]["AdminAuthRegisterDto"];
            };
        };
        responses: {
            /** @description The new administrator. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuthRegisterResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["RegistrationRejected"];
            409: components["responses"]["EmailTaken"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRoleGrants"];
            default: components["responses"]["OtherError"];
        };
    };
    customerMe: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
                /** @description The `session.id` of the sign-in; if given, it must be the token's session. */
                "X-Session-Id"?: components["parameters"]["OptionalSessionId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user, the profile and the session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAuthMeResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRejected"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerSignOut: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
                /** @description The `session.id` of the sign-in; if given, it must be the token's session. */
                "X-Session-Id"?: components["parameters"]["OptionalSessionId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out; the refresh cookie is cleared. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRejected"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerRefreshToken: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
                /** @description The `session.id` of the sign-in. */
                "X-Session-Id": components["parameters"]["SessionId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new access token; the new refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAuthRefreshTokenResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["RefreshRejected"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerReadSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user and the session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerSession"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerListSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions, the latest sign-in first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerEndOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Only the caller's session is still signed in. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerEndSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of a session in the list of sessions.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                sessionId: components["parameters"]["EndedSessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["SessionNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeMe: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
                /** @description The `session.id` of the sign-in; if given, it must be the token's session. */
                "X-Session-Id"?: components["parameters"]["OptionalSessionId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user, the profile and the session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeAuthMeResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRejected"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSignOut: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
                /** @description The `session.id` of the sign-in; if given, it must be the token's session. */
                "X-Session-Id"?: components["parameters"]["OptionalSessionId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out; the refresh cookie is cleared. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRejected"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeRefreshToken: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
                /** @description The `session.id` of the sign-in. */
                "X-Session-Id": components["parameters"]["SessionId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new access token; the new refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeAuthRefreshTokenResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["RefreshRejected"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeReadSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user and the session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeSession"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeListSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions, the latest sign-in first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeEndOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Only the caller's session is still signed in. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeEndSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of a session in the list of sessions.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                sessionId: components["parameters"]["EndedSessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["SessionNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorMe: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
                /** @description The `session.id` of the sign-in; if given, it must be the token's session. */
                "X-Session-Id"?: components["parameters"]["OptionalSessionId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user, the profile and the session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuthMeResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRejected"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorSignOut: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
                /** @description The `session.id` of the sign-in; if given, it must be the token's session. */
                "X-Session-Id"?: components["parameters"]["OptionalSessionId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out; the refresh cookie is cleared. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRejected"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorRefreshToken: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
                /** @description The `session.id` of the sign-in. */
                "X-Session-Id": components["parameters"]["SessionId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new access token; the new refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuthRefreshTokenResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["RefreshRejected"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorReadSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user and the session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdministratorSession"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorListSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions, the latest sign-in first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorEndOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Only the caller's session is still signed in. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorEndSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of a session in the list of sessions.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                sessionId: components["parameters"]["EndedSessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["SessionNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    universalMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The kind of user, the user, the profile, the roles and the session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAuthResponseDto"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user's second factors. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorState"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerSecondFactorChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondStepChange"];
            };
        };
        responses: {
            /** @description The user's second factors, and recovery codes, which are returned only this once. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorChanged"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["FactorMissing"];
            409: components["responses"]["SecondStepChangeRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    customerTotpSetUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordConfirmation"];
            };
        };
        responses: {
            /** @description The secret for the authenticator app. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpSecret"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["EnrolmentForbidden"];
            409: components["responses"]["SecondFactorEnabled"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    customerTotpRemove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorConfirmation"];
            };
        };
        responses: {
            /** @description The authenticator app is no longer a second factor. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["FactorMissing"];
            409: components["responses"]["SecondFactorNeeded"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    customerTotpConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeCheck"];
            };
        };
        responses: {
            /** @description The authenticator app is a second factor. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpConfirmed"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["EmailNotVerified"];
            409: components["responses"]["SecondFactorEnabled"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    customerRecoveryCodesReplace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorConfirmation"];
            };
        };
        responses: {
            /** @description The new recovery codes, returned only this once. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["FactorMissing"];
            409: components["responses"]["SecondFactorMissing"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user's second factors. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorState"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSecondFactorChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondStepChange"];
            };
        };
        responses: {
            /** @description The user's second factors, and recovery codes, which are returned only this once. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorChanged"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["FactorMissing"];
            409: components["responses"]["SecondStepChangeRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeTotpSetUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordConfirmation"];
            };
        };
        responses: {
            /** @description The secret for the authenticator app. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpSecret"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["EnrolmentForbidden"];
            409: components["responses"]["SecondFactorEnabled"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeTotpRemove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorConfirmation"];
            };
        };
        responses: {
            /** @description The authenticator app is no longer a second factor. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["FactorMissing"];
            409: components["responses"]["SecondFactorNeeded"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeTotpConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeCheck"];
            };
        };
        responses: {
            /** @description The authenticator app is a second factor. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpConfirmed"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["EmailNotVerified"];
            409: components["responses"]["SecondFactorEnabled"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeRecoveryCodesReplace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorConfirmation"];
            };
        };
        responses: {
            /** @description The new recovery codes, returned only this once. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["FactorMissing"];
            409: components["responses"]["SecondFactorMissing"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user's second factors. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorState"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorSecondFactorChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondStepChange"];
            };
        };
        responses: {
            /** @description The user's second factors, and recovery codes, which are returned only this once. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorChanged"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["FactorMissing"];
            409: components["responses"]["SecondStepChangeRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorTotpSetUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordConfirmation"];
            };
        };
        responses: {
            /** @description The secret for the authenticator app. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpSecret"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["EnrolmentForbidden"];
            409: components["responses"]["SecondFactorEnabled"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorTotpRemove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorConfirmation"];
            };
        };
        responses: {
            /** @description The authenticator app is no longer a second factor. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["FactorMissing"];
            409: components["responses"]["SecondFactorNeeded"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorTotpConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeCheck"];
            };
        };
        responses: {
            /** @description The authenticator app is a second factor. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpConfirmed"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["EmailNotVerified"];
            409: components["responses"]["SecondFactorEnabled"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorRecoveryCodesReplace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorConfirmation"];
            };
        };
        responses: {
            /** @description The new recovery codes, returned only this once. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["FactorMissing"];
            409: components["responses"]["SecondFactorMissing"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    customerSecondFactorOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Options for `navigator.credentials.get()`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PasskeyNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerPasskeyOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordConfirmation"];
            };
        };
        responses: {
            /** @description Options for `navigator.credentials.create()`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreationOptions"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["EnrolmentForbidden"];
            404: components["responses"]["PasskeysOff"];
            409: components["responses"]["PasskeyLimitReached"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    customerPasskeyCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyRegistration"];
            };
        };
        responses: {
            /** @description The new passkey. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreated"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["EmailNotVerified"];
            404: components["responses"]["PasskeysOff"];
            409: components["responses"]["PasskeyRegistrationRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyChanges"];
            default: components["responses"]["OtherError"];
        };
    };
    customerPasskeyDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of a passkey of the user.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                passkeyId: components["parameters"]["PasskeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorConfirmation"];
            };
        };
        responses: {
            /** @description The passkey is removed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["FactorMissing"];
            404: components["responses"]["PasskeyNotFound"];
            409: components["responses"]["PasskeyRemovalRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    customerPasskeyRename: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of a passkey of the user.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                passkeyId: components["parameters"]["PasskeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyName"];
            };
        };
        responses: {
            /** @description The passkey with its new name. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PasskeyNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSecondFactorOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Options for `navigator.credentials.get()`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PasskeyNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeePasskeyOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordConfirmation"];
            };
        };
        responses: {
            /** @description Options for `navigator.credentials.create()`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreationOptions"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["EnrolmentForbidden"];
            404: components["responses"]["PasskeysOff"];
            409: components["responses"]["PasskeyLimitReached"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    employeePasskeyCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyRegistration"];
            };
        };
        responses: {
            /** @description The new passkey. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreated"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["EmailNotVerified"];
            404: components["responses"]["PasskeysOff"];
            409: components["responses"]["PasskeyRegistrationRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyChanges"];
            default: components["responses"]["OtherError"];
        };
    };
    employeePasskeyDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of a passkey of the user.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                passkeyId: components["parameters"]["PasskeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorConfirmation"];
            };
        };
        responses: {
            /** @description The passkey is removed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["FactorMissing"];
            404: components["responses"]["PasskeyNotFound"];
            409: components["responses"]["PasskeyRemovalRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    employeePasskeyRename: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of a passkey of the user.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                passkeyId: components["parameters"]["PasskeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyName"];
            };
        };
        responses: {
            /** @description The passkey with its new name. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PasskeyNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorSecondFactorOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Options for `navigator.credentials.get()`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PasskeyNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorPasskeyOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordConfirmation"];
            };
        };
        responses: {
            /** @description Options for `navigator.credentials.create()`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreationOptions"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["EnrolmentForbidden"];
            404: components["responses"]["PasskeysOff"];
            409: components["responses"]["PasskeyLimitReached"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorPasskeyCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyRegistration"];
            };
        };
        responses: {
            /** @description The new passkey. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreated"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["EmailNotVerified"];
            404: components["responses"]["PasskeysOff"];
            409: components["responses"]["PasskeyRegistrationRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyChanges"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorPasskeyDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of a passkey of the user.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                passkeyId: components["parameters"]["PasskeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorConfirmation"];
            };
        };
        responses: {
            /** @description The passkey is removed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["FactorMissing"];
            404: components["responses"]["PasskeyNotFound"];
            409: components["responses"]["PasskeyRemovalRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorPasskeyRename: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of a passkey of the user.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                passkeyId: components["parameters"]["PasskeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyName"];
            };
        };
        responses: {
            /** @description The passkey with its new name. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PasskeyNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorProve: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecentProof"];
            };
        };
        responses: {
            /** @description The proof is the latest one of the session. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["FactorMissing"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    customerOidcProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The providers, in the order of the configuration. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderList"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerOidcAuthorize: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path: {
                /**
                 * @description The `id` of a provider.
                 * @example company
                 */
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderAuthorization"];
            };
        };
        responses: {
            /** @description The address of the provider. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderAuthorizationUrl"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            404: components["responses"]["ProviderNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ProviderUnavailable"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeOidcProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The providers, in the order of the configuration. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderList"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeOidcAuthorize: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path: {
                /**
                 * @description The `id` of a provider.
                 * @example company
                 */
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderAuthorization"];
            };
        };
        responses: {
            /** @description The address of the provider. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderAuthorizationUrl"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            404: components["responses"]["ProviderNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ProviderUnavailable"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorOidcProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The providers, in the order of the configuration. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderList"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorOidcAuthorize: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path: {
                /**
                 * @description The `id` of a provider.
                 * @example company
                 */
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderAuthorization"];
            };
        };
        responses: {
            /** @description The address of the provider. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderAuthorizationUrl"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            404: components["responses"]["ProviderNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ProviderUnavailable"];
            default: components["responses"]["OtherError"];
        };
    };
    oidcBackchannelLogout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of a provider.
                 * @example company
                 */
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["BackchannelLogout"];
            };
        };
        responses: {
            /** @description The sessions have ended, or there was none. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["LogoutRejected"];
            404: components["responses"]["ProviderNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ProviderUnavailable"];
            default: components["responses"]["OtherError"];
        };
    };
    customerIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identities, the oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerIdentityAuthorize: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of a provider.
                 * @example company
                 */
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IdentityAuthorization"];
            };
        };
        responses: {
            /** @description The address of the provider. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderAuthorizationUrl"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["IdentityForbidden"];
            404: components["responses"]["ProviderNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            503: components["responses"]["ProviderUnavailable"];
            default: components["responses"]["OtherError"];
        };
    };
    customerIdentityLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the provider of the new identity.
                 * @example company
                 */
                identity: components["parameters"]["IdentityProvider"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderCallback"];
            };
        };
        responses: {
            /** @description The identity. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Identity"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["LinkRejected"];
            403: components["responses"]["EmailNotVerified"];
            404: components["responses"]["ProviderNotFound"];
            409: components["responses"]["IdentityTaken"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyChanges"];
            503: components["responses"]["ProviderUnavailable"];
            default: components["responses"]["OtherError"];
        };
    };
    customerIdentityUnlink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of an identity of the user.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                identity: components["parameters"]["IdentityId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordConfirmation"];
            };
        };
        responses: {
            /** @description The identity is no longer linked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["ReauthenticationRequired"];
            404: components["responses"]["IdentityNotFound"];
            409: components["responses"]["LastSignInMethod"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identities, the oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeIdentityAuthorize: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of a provider.
                 * @example company
                 */
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IdentityAuthorization"];
            };
        };
        responses: {
            /** @description The address of the provider. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderAuthorizationUrl"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["IdentityForbidden"];
            404: components["responses"]["ProviderNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            503: components["responses"]["ProviderUnavailable"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeIdentityLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the provider of the new identity.
                 * @example company
                 */
                identity: components["parameters"]["IdentityProvider"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderCallback"];
            };
        };
        responses: {
            /** @description The identity. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Identity"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["LinkRejected"];
            403: components["responses"]["EmailNotVerified"];
            404: components["responses"]["ProviderNotFound"];
            409: components["responses"]["IdentityTaken"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyChanges"];
            503: components["responses"]["ProviderUnavailable"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeIdentityUnlink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of an identity of the user.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                identity: components["parameters"]["IdentityId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordConfirmation"];
            };
        };
        responses: {
            /** @description The identity is no longer linked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["ReauthenticationRequired"];
            404: components["responses"]["IdentityNotFound"];
            409: components["responses"]["LastSignInMethod"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identities, the oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorIdentityAuthorize: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of a provider.
                 * @example company
                 */
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IdentityAuthorization"];
            };
        };
        responses: {
            /** @description The address of the provider. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderAuthorizationUrl"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["EnrolmentForbidden"];
            404: components["responses"]["ProviderNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            503: components["responses"]["ProviderUnavailable"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorIdentityLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the provider of the new identity.
                 * @example company
                 */
                identity: components["parameters"]["IdentityProvider"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderCallback"];
            };
        };
        responses: {
            /** @description The identity. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Identity"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["LinkRejected"];
            403: components["responses"]["EmailNotVerified"];
            404: components["responses"]["ProviderNotFound"];
            409: components["responses"]["IdentityTaken"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyChanges"];
            503: components["responses"]["ProviderUnavailable"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorIdentityUnlink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of an identity of the user.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                identity: components["parameters"]["IdentityId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordConfirmation"];
            };
        };
        responses: {
            /** @description The identity is no longer linked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["ReauthenticationRequired"];
            404: components["responses"]["IdentityNotFound"];
            409: components["responses"]["LastSignInMethod"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    customerSignInMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ways to sign in that this platform offers to users of the kind. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description `public, max-age=60` */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerSignIn: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerAuthSignInDto"];
            };
        };
        responses: {
            /** @description The access token; the refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SignInRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManySignInAttempts"];
            default: components["responses"]["OtherError"];
        };
    };
    customerSignInSecondFactor: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorSignIn"];
            };
        };
        responses: {
            /** @description The access token; the refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SecondStepRejected"];
            409: components["responses"]["FactorNotOffered"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManySignInAttempts"];
            default: components["responses"]["OtherError"];
        };
    };
    customerSignInSecondFactorEmailCode: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorChallenge"];
            };
        };
        responses: {
            /** @description The code is queued for sending. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["ChallengeRejected"];
            409: components["responses"]["FactorNotOffered"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["ResendLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    customerSignInEmailCodeSend: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies the device. If the e-mail is verified, a device that has signed in from its network before may request three
                 *     more codes an hour than the limits allow.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint"?: components["parameters"]["RequestingFingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "customer@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["SignInCodeRequest"];
            };
        };
        responses: {
            /** @description If the e-mail is known, the code is queued for sending. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            404: components["responses"]["EmailCodeSignInOff"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["ResendLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    customerSignInEmailCode: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "customer@example.com",
                 *       "code": "042917"
                 *     }
                 */
                "application/json": components["schemas"]["EmailCodeSignIn"];
            };
        };
        responses: {
            /** @description Signed in; the refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["CodeRejected"];
            401: components["responses"]["EmailCodeSignInRejected"];
            404: components["responses"]["EmailCodeSignInOff"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongCodes"];
            default: components["responses"]["OtherError"];
        };
    };
    customerSignInSecondFactorOptions: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorChallenge"];
            };
        };
        responses: {
            /** @description Options for `navigator.credentials.get()`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["ChallengeRejected"];
            404: components["responses"]["PasskeyNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerSignInPasskeyOptions: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Options for `navigator.credentials.get()`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            404: components["responses"]["PasskeysOff"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerSignInPasskey: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeySignIn"];
            };
        };
        responses: {
            /** @description The access token; the refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["PasskeyRejected"];
            404: components["responses"]["PasskeyNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManySignInAttempts"];
            default: components["responses"]["OtherError"];
        };
    };
    customerOidcSignIn: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The language of the mails to the user, English or German: that of the sign-up, and later of the user's own signed-in
                 *     requests, whichever they are. Browsers send this header.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["Language"];
                /**
                 * @description The time zone of times in mails to the user, an IANA name: that of the sign-up, and later of the user's own signed-in requests,
                 *     whichever they are. An unknown one is ignored. Without one, times are in UTC.
                 * @example Europe/Berlin
                 */
                "X-Time-Zone"?: components["parameters"]["TimeZone"];
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path: {
                /**
                 * @description The `id` of a provider.
                 * @example company
                 */
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderCallback"];
            };
        };
        responses: {
            /** @description The access token; the refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["ProviderSignInRejected"];
            403: components["responses"]["ProviderSignInForbidden"];
            404: components["responses"]["ProviderNotFound"];
            409: components["responses"]["AccountConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ProviderUnavailable"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSignInMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ways to sign in that this platform offers to users of the kind. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description `public, max-age=60` */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSignIn: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmployeeAuthSignInDto"];
            };
        };
        responses: {
            /** @description The access token; the refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SignInRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManySignInAttempts"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSignInSecondFactor: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorSignIn"];
            };
        };
        responses: {
            /** @description The access token; the refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SecondStepRejected"];
            409: components["responses"]["FactorNotOffered"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManySignInAttempts"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSignInSecondFactorEmailCode: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorChallenge"];
            };
        };
        responses: {
            /** @description The code is queued for sending. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["ChallengeRejected"];
            409: components["responses"]["FactorNotOffered"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["ResendLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSignInEmailCodeSend: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies the device. If the e-mail is verified, a device that has signed in from its network before may request three
                 *     more codes an hour than the limits allow.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint"?: components["parameters"]["RequestingFingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "employee@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["SignInCodeRequest"];
            };
        };
        responses: {
            /** @description If the e-mail is known, the code is queued for sending. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            404: components["responses"]["EmailCodeSignInOff"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["ResendLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSignInEmailCode: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "employee@example.com",
                 *       "code": "042917"
                 *     }
                 */
                "application/json": components["schemas"]["EmailCodeSignIn"];
            };
        };
        responses: {
            /** @description Signed in; the refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["CodeRejected"];
            401: components["responses"]["EmailCodeSignInRejected"];
            404: components["responses"]["EmailCodeSignInOff"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongCodes"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSignInSecondFactorOptions: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorChallenge"];
            };
        };
        responses: {
            /** @description Options for `navigator.credentials.get()`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["ChallengeRejected"];
            404: components["responses"]["PasskeyNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSignInPasskeyOptions: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Options for `navigator.credentials.get()`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            404: components["responses"]["PasskeysOff"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSignInPasskey: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeySignIn"];
            };
        };
        responses: {
            /** @description The access token; the refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["PasskeyRejected"];
            404: components["responses"]["PasskeyNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManySignInAttempts"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeOidcSignIn: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The language of the mails to the user, English or German: that of the sign-up, and later of the user's own signed-in
                 *     requests, whichever they are. Browsers send this header.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["Language"];
                /**
                 * @description The time zone of times in mails to the user, an IANA name: that of the sign-up, and later of the user's own signed-in requests,
                 *     whichever they are. An unknown one is ignored. Without one, times are in UTC.
                 * @example Europe/Berlin
                 */
                "X-Time-Zone"?: components["parameters"]["TimeZone"];
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path: {
                /**
                 * @description The `id` of a provider.
                 * @example company
                 */
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderCallback"];
            };
        };
        responses: {
            /** @description The access token; the refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["ProviderSignInRejected"];
            403: components["responses"]["ProviderSignInForbidden"];
            404: components["responses"]["ProviderNotFound"];
            409: components["responses"]["AccountConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ProviderUnavailable"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorSignInMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ways to sign in that this platform offers to users of the kind. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description `public, max-age=60` */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorSignIn: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminAuthSignInDto"];
            };
        };
        responses: {
            /** @description The access token; the refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SignInRejected"];
            403: components["responses"]["NotEligible"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManySignInAttempts"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorSignInSecondFactor: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorSignIn"];
            };
        };
        responses: {
            /** @description The access token; the refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SecondStepRejected"];
            403: components["responses"]["SecondStepForbidden"];
            409: components["responses"]["FactorNotOffered"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManySignInAttempts"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorSignInSecondFactorOptions: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorChallenge"];
            };
        };
        responses: {
            /** @description Options for `navigator.credentials.get()`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["ChallengeRejected"];
            404: components["responses"]["PasskeyNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorSignInPasskeyOptions: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Options for `navigator.credentials.get()`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            404: components["responses"]["PasskeysOff"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorSignInPasskey: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeySignIn"];
            };
        };
        responses: {
            /** @description The access token; the refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["PasskeyRejected"];
            403: components["responses"]["NotEligible"];
            404: components["responses"]["PasskeyNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManySignInAttempts"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorOidcSignIn: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The language of the mails to the user, English or German: that of the sign-up, and later of the user's own signed-in
                 *     requests, whichever they are. Browsers send this header.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["Language"];
                /**
                 * @description The time zone of times in mails to the user, an IANA name: that of the sign-up, and later of the user's own signed-in requests,
                 *     whichever they are. An unknown one is ignored. Without one, times are in UTC.
                 * @example Europe/Berlin
                 */
                "X-Time-Zone"?: components["parameters"]["TimeZone"];
                /**
                 * @description Identifies the device; an opaque value for the platform.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint": components["parameters"]["Fingerprint"];
            };
            path: {
                /**
                 * @description The `id` of a provider.
                 * @example company
                 */
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderCallback"];
            };
        };
        responses: {
            /** @description The access token; the refresh token is set as a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["ProviderSignInRejected"];
            403: components["responses"]["AdministratorProviderSignInForbidden"];
            404: components["responses"]["ProviderNotFound"];
            409: components["responses"]["AccountConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ProviderUnavailable"];
            default: components["responses"]["OtherError"];
        };
    };
    customerVerificationEmailCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the e-mail is verified. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerVerificationEmailCheckResponseDto"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerVerificationEmailCode: {
        parameters: {
            query?: {
                /**
                 * @description Where the page that the mail links returns to. It is ignored unless it is an address of `ACCOUNT_RETURN_ORIGINS` with
                 *     at most 2,048 characters.
                 * @example https://shop.example.com/basket
                 */
                returnTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The code is queued for sending. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["EmailAlreadyVerified"];
            429: components["responses"]["ResendLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    customerVerificationEmailCodeCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerVerificationEmailCodeCheckDto"];
            };
        };
        responses: {
            /** @description The e-mail is verified. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerVerificationEmailCheckResponseDto"];
                };
            };
            400: components["responses"]["CodeRejected"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["EmailAlreadyVerified"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongCodes"];
            default: components["responses"]["OtherError"];
        };
    };
    customerResetPasswordEmailCodeSend: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies the device. If the e-mail is verified, a device that has signed in from its network before may request three
                 *     more codes an hour than the limits allow.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint"?: components["parameters"]["RequestingFingerprint"];
                /**
                 * @description The base64 solution of a challenge (`/auth/bot-check`), where the platform keeps bots out. The client of the platform solves it
                 *     when it is asked to.
                 * @example eyJjaGFsbGVuZ2UiOnt9LCJzb2x1dGlvbiI6e319
                 */
                "X-Bot-Check"?: components["parameters"]["BotCheck"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "customer@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["CustomerAuthResetPasswordEmailCodeSendDto"];
            };
        };
        responses: {
            /** @description If the e-mail is known, the code is queued for sending. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            403: components["responses"]["BotCheckRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["ResendLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    customerResetPasswordEmailCode: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies the device. If the e-mail is verified, a device that has signed in from its network before may enter a
                 *     code while the account is paused because of wrong codes from elsewhere. With `NEW_DEVICE_CODE`, the device that sets
                 *     the new password needs no code at its next sign-in within 15 minutes.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint"?: components["parameters"]["OptionalFingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "customer@example.com",
                 *       "code": "042917",
                 *       "newPassword": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["CustomerAuthResetPasswordEmailCodeCheckDto"];
            };
        };
        responses: {
            /** @description The new password is set. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["CodeRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongCodes"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeVerificationEmailCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the e-mail is verified. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeVerificationEmailCheckResponseDto"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeVerificationEmailCode: {
        parameters: {
            query?: {
                /**
                 * @description Where the page that the mail links returns to. It is ignored unless it is an address of `ACCOUNT_RETURN_ORIGINS` with
                 *     at most 2,048 characters.
                 * @example https://shop.example.com/basket
                 */
                returnTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The code is queued for sending. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["EmailAlreadyVerified"];
            429: components["responses"]["ResendLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeVerificationEmailCodeCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmployeeVerificationEmailCodeCheckDto"];
            };
        };
        responses: {
            /** @description The e-mail is verified. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeVerificationEmailCheckResponseDto"];
                };
            };
            400: components["responses"]["CodeRejected"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["EmailAlreadyVerified"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongCodes"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeResetPasswordEmailCodeSend: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies the device. If the e-mail is verified, a device that has signed in from its network before may request three
                 *     more codes an hour than the limits allow.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint"?: components["parameters"]["RequestingFingerprint"];
                /**
                 * @description The base64 solution of a challenge (`/auth/bot-check`), where the platform keeps bots out. The client of the platform solves it
                 *     when it is asked to.
                 * @example eyJjaGFsbGVuZ2UiOnt9LCJzb2x1dGlvbiI6e319
                 */
                "X-Bot-Check"?: components["parameters"]["BotCheck"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "employee@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["EmployeeAuthResetPasswordEmailCodeSendDto"];
            };
        };
        responses: {
            /** @description If the e-mail is known, the code is queued for sending. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            403: components["responses"]["BotCheckRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["ResendLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeResetPasswordEmailCode: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies the device. If the e-mail is verified, a device that has signed in from its network before may enter a
                 *     code while the account is paused because of wrong codes from elsewhere. With `NEW_DEVICE_CODE`, the device that sets
                 *     the new password needs no code at its next sign-in within 15 minutes.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint"?: components["parameters"]["OptionalFingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "employee@example.com",
                 *       "code": "042917",
                 *       "newPassword": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["EmployeeAuthResetPasswordEmailCodeCheckDto"];
            };
        };
        responses: {
            /** @description The new password is set. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["CodeRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongCodes"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorVerificationEmailCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the e-mail is verified. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminVerificationEmailCheckResponseDto"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorVerificationEmailCode: {
        parameters: {
            query?: {
                /**
                 * @description Where the page that the mail links returns to. It is ignored unless it is an address of `ACCOUNT_RETURN_ORIGINS` with
                 *     at most 2,048 characters.
                 * @example https://shop.example.com/basket
                 */
                returnTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The code is queued for sending. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["EmailAlreadyVerified"];
            429: components["responses"]["ResendLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorVerificationEmailCodeCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminVerificationEmailCodeCheckDto"];
            };
        };
        responses: {
            /** @description The e-mail is verified. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminVerificationEmailCheckResponseDto"];
                };
            };
            400: components["responses"]["CodeRejected"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["EmailAlreadyVerified"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongCodes"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorResetPasswordEmailCodeSend: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies the device. If the e-mail is verified, a device that has signed in from its network before may request three
                 *     more codes an hour than the limits allow.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint"?: components["parameters"]["RequestingFingerprint"];
                /**
                 * @description The base64 solution of a challenge (`/auth/bot-check`), where the platform keeps bots out. The client of the platform solves it
                 *     when it is asked to.
                 * @example eyJjaGFsbGVuZ2UiOnt9LCJzb2x1dGlvbiI6e319
                 */
                "X-Bot-Check"?: components["parameters"]["BotCheck"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "admin@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["AdminAuthResetPasswordEmailCodeSendDto"];
            };
        };
        responses: {
            /** @description If the e-mail is known, the code is queued for sending. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            403: components["responses"]["BotCheckRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["ResendLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorResetPasswordEmailCode: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies the device. If the e-mail is verified, a device that has signed in from its network before may enter a
                 *     code while the account is paused because of wrong codes from elsewhere. With `NEW_DEVICE_CODE`, the device that sets
                 *     the new password needs no code at its next sign-in within 15 minutes.
                 * @example 7d1f6f0c9b
                 */
                "X-Fingerprint"?: components["parameters"]["OptionalFingerprint"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "admin@example.com",
                 *       "code": "042917",
                 *       "newPassword": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["AdminAuthResetPasswordEmailCodeCheckDto"];
            };
        };
        responses: {
            /** @description The new password is set. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["CodeRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongCodes"];
            default: components["responses"]["OtherError"];
        };
    };
    customerResetPasswordMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "currentPassword": "Password123!",
                 *       "newPassword": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["CustomerAuthResetPasswordDto"];
            };
        };
        responses: {
            /** @description The password is changed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["ChangeTokenRejected"];
            403: components["responses"]["ReauthenticationRequired"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    customerEmailChangePending: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The change, or null. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailChangePending"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "newEmail": "new-customer@example.com",
                 *       "currentPassword": "Password123!"
                 *     }
                 */
                "application/json": components["schemas"]["EmailChange"];
            };
        };
        responses: {
            /** @description The mails are queued for sending. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailChangeRequested"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["NewEmailForbidden"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["EmailChangeLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    customerEmailChangeCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeCheck"];
            };
        };
        responses: {
            /** @description The user with the new address. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEmailChanged"];
                };
            };
            400: components["responses"]["CodeRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NewDomainNotAllowed"];
            409: components["responses"]["EmailTaken"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongCodes"];
            default: components["responses"]["OtherError"];
        };
    };
    customerProfileChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "firstName": "Ada",
                 *       "phone": null
                 *     }
                 */
                "application/json": components["schemas"]["ProfileChange"];
            };
        };
        responses: {
            /** @description The profile as stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileChanged"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerAccountExport: {
        parameters: {
            query?: {
                /** @description The `nextAuditCursor` of the user's export, for the audit records after it. It does not expire. */
                auditCursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The data of the user; with `auditCursor`, further audit records. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountExport"] | components["schemas"]["AuditRecordsExport"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerSignIns: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description The number of entries of a page. */
                perPage?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    customerAccountDelete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorConfirmation"];
            };
        };
        responses: {
            /** @description The account is deleted; the refresh cookie is cleared. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["FactorMissing"];
            409: components["responses"]["DeletionRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeResetPasswordMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "currentPassword": "Password123!",
                 *       "newPassword": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["EmployeeAuthResetPasswordDto"];
            };
        };
        responses: {
            /** @description The password is changed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["ChangeTokenRejected"];
            403: components["responses"]["ReauthenticationRequired"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeEmailChangePending: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The change, or null. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailChangePending"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "newEmail": "new-employee@example.com",
                 *       "currentPassword": "Password123!"
                 *     }
                 */
                "application/json": components["schemas"]["EmailChange"];
            };
        };
        responses: {
            /** @description The mails are queued for sending. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailChangeRequested"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["NewEmailForbidden"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["EmailChangeLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeEmailChangeCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeCheck"];
            };
        };
        responses: {
            /** @description The user with the new address. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeEmailChanged"];
                };
            };
            400: components["responses"]["CodeRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NewDomainNotAllowed"];
            409: components["responses"]["EmailTaken"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongCodes"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeProfileChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "firstName": "Ada",
                 *       "phone": null
                 *     }
                 */
                "application/json": components["schemas"]["ProfileChange"];
            };
        };
        responses: {
            /** @description The profile as stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileChanged"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeAccountExport: {
        parameters: {
            query?: {
                /** @description The `nextAuditCursor` of the user's export, for the audit records after it. It does not expire. */
                auditCursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The data of the user; with `auditCursor`, further audit records. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountExport"] | components["schemas"]["AuditRecordsExport"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSignIns: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description The number of entries of a page. */
                perPage?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeAccountDelete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorConfirmation"];
            };
        };
        responses: {
            /** @description The account is deleted; the refresh cookie is cleared. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["FactorMissing"];
            409: components["responses"]["DeletionRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorResetPasswordMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "currentPassword": "Password123!",
                 *       "newPassword": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["AdminAuthResetPasswordDto"];
            };
        };
        responses: {
            /** @description The password is changed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["ChangeTokenRejected"];
            403: components["responses"]["ReauthenticationRequired"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorEmailChangePending: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The change, or null. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailChangePending"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "newEmail": "new-admin@example.com",
                 *       "currentPassword": "Password123!"
                 *     }
                 */
                "application/json": components["schemas"]["EmailChange"];
            };
        };
        responses: {
            /** @description The mails are queued for sending. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailChangeRequested"];
                };
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["NewEmailForbidden"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["EmailChangeLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorEmailChangeCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeCheck"];
            };
        };
        responses: {
            /** @description The user with the new address. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdministratorEmailChanged"];
                };
            };
            400: components["responses"]["CodeRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NewDomainNotAllowed"];
            409: components["responses"]["EmailTaken"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongCodes"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorAccountExport: {
        parameters: {
            query?: {
                /** @description The `nextAuditCursor` of the user's export, for the audit records after it. It does not expire. */
                auditCursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The data of the user; with `auditCursor`, further audit records. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountExport"] | components["schemas"]["AuditRecordsExport"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorSignIns: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description The number of entries of a page. */
                perPage?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorAccountDelete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorConfirmation"];
            };
        };
        responses: {
            /** @description The account is deleted; the refresh cookie is cleared. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRejected"];
            401: components["responses"]["SecondFactorRejected"];
            403: components["responses"]["FactorMissing"];
            409: components["responses"]["DeletionRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorName: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The name, or null. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdministratorName"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorNameChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdministratorNameChange"];
            };
        };
        responses: {
            /** @description The name as stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdministratorName"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    invitationCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationCode"];
            };
        };
        responses: {
            /** @description What the code gives. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedInvitation"];
                };
            };
            400: components["responses"]["InvitationRejected"];
            403: components["responses"]["InvitationDomainNotAllowed"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    invitationAccept: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The language of the mails to the user, English or German: that of the sign-up, and later of the user's own signed-in
                 *     requests, whichever they are. Browsers send this header.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["Language"];
                /**
                 * @description The time zone of times in mails to the user, an IANA name: that of the sign-up, and later of the user's own signed-in requests,
                 *     whichever they are. An unknown one is ignored. Without one, times are in UTC.
                 * @example Europe/Berlin
                 */
                "X-Time-Zone"?: components["parameters"]["TimeZone"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationAcceptance"];
            };
        };
        responses: {
            /** @description The new administrator. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitedAdministrator"];
                };
            };
            400: components["responses"]["InvitationRejected"];
            403: components["responses"]["InvitationDomainNotAllowed"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    botCheckChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A new challenge. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BotChallenge"];
                };
            };
            404: components["responses"]["BotCheckOff"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
}

/**
 * The operations by the names of their handlers, with the security schemes that admit a caller and the kinds of account; `never`
 * where an operation has none.
 */
export interface handledOperations {
    signUp: {
        operation: operations['customerSignUp'] | operations['employeeSignUp'];
        security: never;
        kind: 'customer' | 'employee';
    };
    administratorRegister: {
        operation: operations['administratorRegister'];
        security: 'administratorRegistration' | 'anonymous';
        kind: never;
    };
    me: {
        operation: operations['customerMe'] | operations['employeeMe'] | operations['administratorMe'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    signOut: {
        operation: operations['customerSignOut'] | operations['employeeSignOut'] | operations['administratorSignOut'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    refreshToken: {
        operation: operations['customerRefreshToken'] | operations['employeeRefreshToken'] | operations['administratorRefreshToken'];
        security: 'customerRefresh' | 'customerRefreshBearer' | 'employeeRefresh' | 'employeeRefreshBearer' | 'administratorRefresh' | 'administratorRefreshBearer';
        kind: 'customer' | 'employee' | 'administrator';
    };
    readSession: {
        operation: operations['customerReadSession'] | operations['employeeReadSession'] | operations['administratorReadSession'];
        security: 'customerRefresh' | 'customerRefreshBearer' | 'employeeRefresh' | 'employeeRefreshBearer' | 'administratorRefresh' | 'administratorRefreshBearer';
        kind: 'customer' | 'employee' | 'administrator';
    };
    listSessions: {
        operation: operations['customerListSessions'] | operations['employeeListSessions'] | operations['administratorListSessions'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    endOtherSessions: {
        operation: operations['customerEndOtherSessions'] | operations['employeeEndOtherSessions'] | operations['administratorEndOtherSessions'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    endSession: {
        operation: operations['customerEndSession'] | operations['employeeEndSession'] | operations['administratorEndSession'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    universalMe: {
        operation: operations['universalMe'];
        security: 'universalAccess';
        kind: never;
    };
    secondFactor: {
        operation: operations['customerSecondFactor'] | operations['employeeSecondFactor'] | operations['administratorSecondFactor'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    secondFactorChange: {
        operation: operations['customerSecondFactorChange'] | operations['employeeSecondFactorChange'] | operations['administratorSecondFactorChange'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    totpSetUp: {
        operation: operations['customerTotpSetUp'] | operations['employeeTotpSetUp'] | operations['administratorTotpSetUp'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    totpRemove: {
        operation: operations['customerTotpRemove'] | operations['employeeTotpRemove'] | operations['administratorTotpRemove'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    totpConfirm: {
        operation: operations['customerTotpConfirm'] | operations['employeeTotpConfirm'] | operations['administratorTotpConfirm'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    recoveryCodesReplace: {
        operation: operations['customerRecoveryCodesReplace'] | operations['employeeRecoveryCodesReplace'] | operations['administratorRecoveryCodesReplace'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    secondFactorOptions: {
        operation: operations['customerSecondFactorOptions'] | operations['employeeSecondFactorOptions'] | operations['administratorSecondFactorOptions'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    passkeyOptions: {
        operation: operations['customerPasskeyOptions'] | operations['employeePasskeyOptions'] | operations['administratorPasskeyOptions'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    passkeyCreate: {
        operation: operations['customerPasskeyCreate'] | operations['employeePasskeyCreate'] | operations['administratorPasskeyCreate'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    passkeyRename: {
        operation: operations['customerPasskeyRename'] | operations['employeePasskeyRename'] | operations['administratorPasskeyRename'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    passkeyDelete: {
        operation: operations['customerPasskeyDelete'] | operations['employeePasskeyDelete'] | operations['administratorPasskeyDelete'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    administratorProve: {
        operation: operations['administratorProve'];
        security: 'administratorAccess';
        kind: never;
    };
    oidcProviders: {
        operation: operations['customerOidcProviders'] | operations['employeeOidcProviders'] | operations['administratorOidcProviders'];
        security: never;
        kind: 'customer' | 'employee' | 'administrator';
    };
    oidcAuthorize: {
        operation: operations['customerOidcAuthorize'] | operations['employeeOidcAuthorize'] | operations['administratorOidcAuthorize'];
        security: never;
        kind: 'customer' | 'employee' | 'administrator';
    };
    oidcBackchannelLogout: {
        operation: operations['oidcBackchannelLogout'];
        security: never;
        kind: never;
    };
    identities: {
        operation: operations['customerIdentities'] | operations['employeeIdentities'] | operations['administratorIdentities'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    identityAuthorize: {
        operation: operations['customerIdentityAuthorize'] | operations['employeeIdentityAuthorize'] | operations['administratorIdentityAuthorize'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    identityLink: {
        operation: operations['customerIdentityLink'] | operations['employeeIdentityLink'] | operations['administratorIdentityLink'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    identityUnlink: {
        operation: operations['customerIdentityUnlink'] | operations['employeeIdentityUnlink'] | operations['administratorIdentityUnlink'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    signInMethods: {
        operation: operations['customerSignInMethods'] | operations['employeeSignInMethods'] | operations['administratorSignInMethods'];
        security: never;
        kind: 'customer' | 'employee' | 'administrator';
    };
    signIn: {
        operation: operations['customerSignIn'] | operations['employeeSignIn'] | operations['administratorSignIn'];
        security: never;
        kind: 'customer' | 'employee' | 'administrator';
    };
    signInSecondFactor: {
        operation: operations['customerSignInSecondFactor'] | operations['employeeSignInSecondFactor'] | operations['administratorSignInSecondFactor'];
        security: never;
        kind: 'customer' | 'employee' | 'administrator';
    };
    signInSecondFactorEmailCode: {
        operation: operations['customerSignInSecondFactorEmailCode'] | operations['employeeSignInSecondFactorEmailCode'];
        security: never;
        kind: 'customer' | 'employee';
    };
    signInEmailCodeSend: {
        operation: operations['customerSignInEmailCodeSend'] | operations['employeeSignInEmailCodeSend'];
        security: never;
        kind: 'customer' | 'employee';
    };
    signInEmailCode: {
        operation: operations['customerSignInEmailCode'] | operations['employeeSignInEmailCode'];
        security: never;
        kind: 'customer' | 'employee';
    };
    signInSecondFactorOptions: {
        operation: operations['customerSignInSecondFactorOptions'] | operations['employeeSignInSecondFactorOptions'] | operations['administratorSignInSecondFactorOptions'];
        security: never;
        kind: 'customer' | 'employee' | 'administrator';
    };
    signInPasskeyOptions: {
        operation: operations['customerSignInPasskeyOptions'] | operations['employeeSignInPasskeyOptions'] | operations['administratorSignInPasskeyOptions'];
        security: never;
        kind: 'customer' | 'employee' | 'administrator';
    };
    signInPasskey: {
        operation: operations['customerSignInPasskey'] | operations['employeeSignInPasskey'] | operations['administratorSignInPasskey'];
        security: never;
        kind: 'customer' | 'employee' | 'administrator';
    };
    oidcSignIn: {
        operation: operations['customerOidcSignIn'] | operations['employeeOidcSignIn'] | operations['administratorOidcSignIn'];
        security: never;
        kind: 'customer' | 'employee' | 'administrator';
    };
    verificationEmailCheck: {
        operation: operations['customerVerificationEmailCheck'] | operations['employeeVerificationEmailCheck'] | operations['administratorVerificationEmailCheck'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    verificationEmailCode: {
        operation: operations['customerVerificationEmailCode'] | operations['employeeVerificationEmailCode'] | operations['administratorVerificationEmailCode'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    verificationEmailCodeCheck: {
        operation: operations['customerVerificationEmailCodeCheck'] | operations['employeeVerificationEmailCodeCheck'] | operations['administratorVerificationEmailCodeCheck'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    resetPasswordEmailCodeSend: {
        operation: operations['customerResetPasswordEmailCodeSend'] | operations['employeeResetPasswordEmailCodeSend'] | operations['administratorResetPasswordEmailCodeSend'];
        security: never;
        kind: 'customer' | 'employee' | 'administrator';
    };
    resetPasswordEmailCode: {
        operation: operations['customerResetPasswordEmailCode'] | operations['employeeResetPasswordEmailCode'] | operations['administratorResetPasswordEmailCode'];
        security: never;
        kind: 'customer' | 'employee' | 'administrator';
    };
    resetPasswordMe: {
        operation: operations['customerResetPasswordMe'] | operations['employeeResetPasswordMe'] | operations['administratorResetPasswordMe'];
        security: 'customerRefresh' | 'customerRefreshBearer' | 'employeeRefresh' | 'employeeRefreshBearer' | 'administratorRefresh' | 'administratorRefreshBearer';
        kind: 'customer' | 'employee' | 'administrator';
    };
    emailChange: {
        operation: operations['customerEmailChange'] | operations['employeeEmailChange'] | operations['administratorEmailChange'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    emailChangePending: {
        operation: operations['customerEmailChangePending'] | operations['employeeEmailChangePending'] | operations['administratorEmailChangePending'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    emailChangeCheck: {
        operation: operations['customerEmailChangeCheck'] | operations['employeeEmailChangeCheck'] | operations['administratorEmailChangeCheck'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    profileChange: {
        operation: operations['customerProfileChange'] | operations['employeeProfileChange'];
        security: 'customerAccess' | 'employeeAccess';
        kind: 'customer' | 'employee';
    };
    accountExport: {
        operation: operations['customerAccountExport'] | operations['employeeAccountExport'] | operations['administratorAccountExport'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    signIns: {
        operation: operations['customerSignIns'] | operations['employeeSignIns'] | operations['administratorSignIns'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    accountDelete: {
        operation: operations['customerAccountDelete'] | operations['employeeAccountDelete'] | operations['administratorAccountDelete'];
        security: 'customerAccess' | 'employeeAccess' | 'administratorAccess';
        kind: 'customer' | 'employee' | 'administrator';
    };
    administratorName: {
        operation: operations['administratorName'];
        security: 'administratorAccess';
        kind: never;
    };
    administratorNameChange: {
        operation: operations['administratorNameChange'];
        security: 'administratorAccess';
        kind: never;
    };
    invitationCheck: {
        operation: operations['invitationCheck'];
        security: never;
        kind: never;
    };
    invitationAccept: {
        operation: operations['invitationAccept'];
        security: never;
        kind: never;
    };
    botCheckChallenge: {
        operation: operations['botCheckChallenge'];
        security: never;
        kind: never;
    };
}
