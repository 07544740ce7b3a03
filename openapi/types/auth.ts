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
         * @description Creates the user and the profile and signs nobody in; no mail is sent.
         */
        post: operations["customerSignUp"];
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
         * @description A second sign-in with the same fingerprint keeps the session and ends its earlier tokens.
         *     An unknown e-mail, a wrong password and an account of another kind get the same answer in the same time.
         */
        post: operations["customerSignIn"];
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
        /** Who is signed in, and in which session */
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
         * End the session's tokens
         * @description Both tokens stop working at once. The session itself remains, for the next sign-in from this device.
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
         * @description The refresh token is read from the cookie, else from the Authorization header. Each one works once: of several
         *     requests with the same token one gets the new pair, the others `REFRESH_TOKEN_SUPERSEDED`, and nobody is signed out.
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
    "/customers/auth/verification/email/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the e-mail is verified */
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
         * Mail a code that verifies the e-mail
         * @description A new code replaces the one before.
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
        /** Verify the e-mail with the mailed code */
        post: operations["customerVerificationEmailCodeCheck"];
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
         * Change one's password
         * @description The refresh token names the session, which keeps its tokens; the user's other sessions lose theirs. A notice is
         *     mailed.
         */
        post: operations["customerResetPasswordMe"];
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
         * Mail a code that resets a forgotten password
         * @description Answers the same for an e-mail that is not known, which gets no mail. A new code replaces the one before.
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
         * Set a new password with the mailed code
         * @description Every session of the user loses its tokens and nobody is signed in. The code proved the address, so the e-mail
         *     is verified too. A notice is mailed.
         */
        post: operations["customerResetPasswordEmailCode"];
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
        /** One's sessions that are signed in */
        get: operations["customerListSessions"];
        put?: never;
        post?: never;
        /** End all of one's other sessions */
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
         * End one of one's sessions
         * @description Its tokens stop working at once. The session of the caller can be ended too.
         */
        delete: operations["customerEndSession"];
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
         * @description Creates the user and the profile and signs nobody in; no mail is sent.
         */
        post: operations["employeeSignUp"];
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
         * @description A second sign-in with the same fingerprint keeps the session and ends its earlier tokens.
         *     An unknown e-mail, a wrong password and an account of another kind get the same answer in the same time.
         */
        post: operations["employeeSignIn"];
        delete?: never;
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
        /** Who is signed in, and in which session */
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
         * End the session's tokens
         * @description Both tokens stop working at once. The session itself remains, for the next sign-in from this device.
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
         * @description The refresh token is read from the cookie, else from the Authorization header. Each one works once: of several
         *     requests with the same token one gets the new pair, the others `REFRESH_TOKEN_SUPERSEDED`, and nobody is signed out.
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
    "/employees/auth/verification/email/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the e-mail is verified */
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
         * Mail a code that verifies the e-mail
         * @description A new code replaces the one before.
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
        /** Verify the e-mail with the mailed code */
        post: operations["employeeVerificationEmailCodeCheck"];
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
         * Change one's password
         * @description The refresh token names the session, which keeps its tokens; the user's other sessions lose theirs. A notice is
         *     mailed.
         */
        post: operations["employeeResetPasswordMe"];
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
         * Mail a code that resets a forgotten password
         * @description Answers the same for an e-mail that is not known, which gets no mail. A new code replaces the one before.
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
         * Set a new password with the mailed code
         * @description Every session of the user loses its tokens and nobody is signed in. The code proved the address, so the e-mail
         *     is verified too. A notice is mailed.
         */
        post: operations["employeeResetPasswordEmailCode"];
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
        /** One's sessions that are signed in */
        get: operations["employeeListSessions"];
        put?: never;
        post?: never;
        /** End all of one's other sessions */
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
         * End one of one's sessions
         * @description Its tokens stop working at once. The session of the caller can be ended too.
         */
        delete: operations["employeeEndSession"];
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
         * @description While the platform has no ADMIN at all, whoever has an e-mail of an allowed domain registers the first one
         *     without a token (of several at once, one). From then on it takes an ADMIN's access token. The roles OPERATOR and
         *     ARBITER are assigned to existing users on the command line (`npm run role:assign`).
         */
        post: operations["administratorRegister"];
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
         * @description A second sign-in with the same fingerprint keeps the session and ends its earlier tokens.
         *     An unknown e-mail, a wrong password and an account of another kind get the same answer in the same time.
         */
        post: operations["administratorSignIn"];
        delete?: never;
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
        /** Who is signed in, and in which session */
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
         * End the session's tokens
         * @description Both tokens stop working at once. The session itself remains, for the next sign-in from this device.
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
         * @description The refresh token is read from the cookie, else from the Authorization header. Each one works once: of several
         *     requests with the same token one gets the new pair, the others `REFRESH_TOKEN_SUPERSEDED`, and nobody is signed out.
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
    "/auth/admin/verification/email/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the e-mail is verified */
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
         * Mail a code that verifies the e-mail
         * @description A new code replaces the one before.
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
        /** Verify the e-mail with the mailed code */
        post: operations["administratorVerificationEmailCodeCheck"];
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
         * Change one's password
         * @description The refresh token names the session, which keeps its tokens; the user's other sessions lose theirs. A notice is
         *     mailed.
         */
        post: operations["administratorResetPasswordMe"];
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
         * Mail a code that resets a forgotten password
         * @description Answers the same for an e-mail that is not known, which gets no mail. A new code replaces the one before.
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
         * Set a new password with the mailed code
         * @description Every session of the user loses its tokens and nobody is signed in. The code proved the address, so the e-mail
         *     is verified too. A notice is mailed.
         */
        post: operations["administratorResetPasswordEmailCode"];
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
        /** One's sessions that are signed in */
        get: operations["administratorListSessions"];
        put?: never;
        post?: never;
        /** End all of one's other sessions */
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
         * End one of one's sessions
         * @description Its tokens stop working at once. The session of the caller can be ended too.
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
        /** Who holds this access token, whatever the kind */
        get: operations["universalMe"];
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
        CustomerAuthSignUpResponseDto: components["schemas"]["SignedUp"];
        CustomerAuthSignInDto: components["schemas"]["SignIn"];
        CustomerAuthSignInResponseDto: components["schemas"]["SignedIn"];
        CustomerAuthMeResponseDto: components["schemas"]["Me"];
        CustomerAuthRefreshTokenResponseDto: components["schemas"]["Refreshed"];
        EmployeeAuthSignUpDto: components["schemas"]["SignUp"];
        EmployeeAuthSignUpResponseDto: components["schemas"]["SignedUp"];
        EmployeeAuthSignInDto: components["schemas"]["SignIn"];
        EmployeeAuthSignInResponseDto: components["schemas"]["SignedIn"];
        EmployeeAuthMeResponseDto: components["schemas"]["Me"];
        EmployeeAuthRefreshTokenResponseDto: components["schemas"]["Refreshed"];
        CustomerVerificationEmailCheckResponseDto: components["schemas"]["Verified"];
        CustomerVerificationEmailCodeCheckDto: components["schemas"]["CodeCheck"];
        CustomerAuthResetPasswordDto: components["schemas"]["PasswordChange"];
        CustomerAuthResetPasswordEmailCodeSendDto: components["schemas"]["ResetCodeSend"];
        CustomerAuthResetPasswordEmailCodeCheckDto: components["schemas"]["PasswordReset"];
        EmployeeVerificationEmailCheckResponseDto: components["schemas"]["Verified"];
        EmployeeVerificationEmailCodeCheckDto: components["schemas"]["CodeCheck"];
        EmployeeAuthResetPasswordDto: components["schemas"]["PasswordChange"];
        EmployeeAuthResetPasswordEmailCodeSendDto: components["schemas"]["ResetCodeSend"];
        EmployeeAuthResetPasswordEmailCodeCheckDto: components["schemas"]["PasswordReset"];
        AdminAuthSignInDto: components["schemas"]["SignIn"];
        AdminAuthSignInResponseDto: components["schemas"]["SignedIn"];
        AdminAuthMeResponseDto: components["schemas"]["Me"];
        AdminAuthRefreshTokenResponseDto: components["schemas"]["Refreshed"];
        AdminVerificationEmailCheckResponseDto: components["schemas"]["Verified"];
        AdminVerificationEmailCodeCheckDto: components["schemas"]["CodeCheck"];
        AdminAuthResetPasswordDto: components["schemas"]["PasswordChange"];
        AdminAuthResetPasswordEmailCodeSendDto: components["schemas"]["ResetCodeSend"];
        AdminAuthResetPasswordEmailCodeCheckDto: components["schemas"]["PasswordReset"];
        AdminAuthRegisterDto: components["schemas"]["Registration"];
        AdminAuthRegisterResponseDto: components["schemas"]["Registered"];
        /**
         * Format: email
         * @description Stored and compared in lower case.
         * @example ada@example.com
         */
        Email: string;
        /**
         * Format: new-password
         * @description At least 8 characters and at most 72 bytes of UTF-8; nothing is cut off, and every character is allowed but NUL and a lone
         *     surrogate. The most common passwords (unless the platform runs with `PASSWORD_BLOCKLIST=off`), the account's e-mail
         *     address and its part before the `@` are refused, in any letter case: 400 `VALIDATION_FAILED` that names the field.
         * @example correct horse battery
         */
        NewPassword: string;
        SignUp: {
            email: components["schemas"]["Email"];
            password: components["schemas"]["NewPassword"];
            /** @example Ada */
            firstName?: string;
            /** @example Lovelace */
            lastName?: string;
            /** @example +44 20 7946 0958 */
            phone?: string;
        };
        SignIn: {
            email: components["schemas"]["Email"];
            /** @example correct horse battery */
            password: string;
        };
        User: {
            /** Format: uuid */
            id: string;
            /** @example ada@example.com */
            email: string;
            isEmailVerified: boolean;
            roles: components["schemas"]["RoleType"][];
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description For a customer: the id of the profile.
             */
            customerId?: string;
            /**
             * Format: uuid
             * @description For an employee: the id of the profile.
             */
            employeeId?: string;
            /** @description For an administrator: the role that the user holds. */
            platformRole?: components["schemas"]["PlatformRole"];
        };
        Profile: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            userId: string;
            /** @example Ada */
            firstName: string | null;
            /** @example Lovelace */
            lastName: string | null;
            /** @example null */
            phone: string | null;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        /** @description An administrator has no profile. */
        ProfileOrNone: components["schemas"]["Profile"] | null;
        Session: {
            /**
             * Format: uuid
             * @description Send it as X-Session-Id.
             */
            id: string;
            /** Format: uuid */
            userId: string;
            /** @example 7d1f6f0c9b */
            fingerprint: string;
            /**
             * @description The address of the last sign-in.
             * @example 203.0.113.7
             */
            ip: string;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        OwnSession: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            userId: string;
            /** @example 7d1f6f0c9b */
            fingerprint: string;
            /**
             * @description The address of the last sign-in.
             * @example 203.0.113.7
             */
            ip: string;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            /** @description The session of the token that asks. */
            isCurrent: boolean;
        };
        SessionList: {
            data: components["schemas"]["OwnSession"][];
        };
        /**
         * @description Send it as `Authorization` with the scheme Bearer.
         * @example eyJhbGciOiJIUzI1NiJ9.eyJ1c2VySWQiOiIuLi4ifQ.c2lnbmF0dXJl
         */
        AccessToken: string;
        SignedUp: {
            user: components["schemas"]["User"];
            profile: components["schemas"]["Profile"];
        };
        SignedIn: {
            token: components["schemas"]["AccessToken"];
            session: components["schemas"]["Session"];
            user: components["schemas"]["User"];
        };
        Me: {
            user: components["schemas"]["User"];
            profile: components["schemas"]["ProfileOrNone"];
            session: components["schemas"]["Session"];
        };
        Refreshed: {
            token: components["schemas"]["AccessToken"];
        };
        /**
         * @description The six digits of the mail.
         * @example 042917
         */
        Code: string;
        CodeCheck: {
            code: components["schemas"]["Code"];
        };
        CodeSent: {
            /**
             * @description Seconds that the code lives.
             * @example 900
             */
            expiresIn: number;
            /**
             * @description Seconds until the next code may be sent.
             * @example 120
             */
            resendIn: number;
        };
        Verified: {
            verified: boolean;
        };
        PasswordChange: {
            currentPassword: string;
            newPassword: components["schemas"]["NewPassword"];
        };
        ResetCodeSend: {
            email: components["schemas"]["Email"];
        };
        PasswordReset: {
            email: components["schemas"]["Email"];
            code: components["schemas"]["Code"];
            newPassword: components["schemas"]["NewPassword"];
        };
        Registration: {
            email: components["schemas"]["Email"];
            password: components["schemas"]["NewPassword"];
        };
        Registered: {
            /** Format: uuid */
            id: string;
            /** @example grace@example.com */
            email: string;
            /** @constant */
            platformRole: "ADMIN";
            createdAt: components["schemas"]["Timestamp"];
        };
        UserAuthResponseDto: {
            /** @enum {string} */
            kind: "customer" | "employee" | "administrator";
            user: components["schemas"]["User"];
            profile: components["schemas"]["ProfileOrNone"];
            roles: components["schemas"]["RoleType"][];
            session: components["schemas"]["Session"];
        };
        /**
         * @description Stable; decide by it, not by the message.
         * @enum {string}
         */
        ErrorCode: "VALIDATION_FAILED" | "CODE_INVALID" | "USER_ALREADY_BLOCKED" | "USER_NOT_BLOCKED" | "CURRENT_PASSWORD_WRONG" | "TOKEN_INVALID" | "USER_BLOCKED" | "INVALID_CREDENTIALS" | "REFRESH_TOKEN_SUPERSEDED" | "REFRESH_TOKEN_REUSED" | "SESSION_NOT_FOUND" | "WORKSPACE_FORBIDDEN" | "PLATFORM_ROLE_INVALID" | "DOMAIN_NOT_ALLOWED" | "USER_IS_ADMIN" | "REGISTRATION_CLOSED" | "ROUTE_NOT_FOUND" | "USER_NOT_FOUND" | "PROJECT_NOT_FOUND" | "TEAM_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "EMAIL_TAKEN" | "EMAIL_ALREADY_VERIFIED" | "TEAM_NOT_ONBOARDING" | "LAST_TEAM_ADMINISTRATOR" | "JOB_ACTIVE" | "PLATFORM_ROLE_TAKEN" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "RESEND_LOCKED" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "UPSTREAM_UNAVAILABLE" | "SERVICE_UNAVAILABLE" | "UPSTREAM_TIMEOUT";
        /**
         * @example {
         *       "path": "/body/email",
         *       "message": "must match format \"email\""
         *     }
         */
        ErrorDetail: {
            /** @description `/body/…`, `/query/<name>`, `/params/<name>` or `/headers/<lower-case name>`. */
            path: string;
            message: string;
        };
        /**
         * @description The one error body of the platform.
         * @example {
         *       "statusCode": 401,
         *       "error": "Unauthorized",
         *       "code": "INVALID_CREDENTIALS",
         *       "message": "The e-mail or the password is wrong",
         *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
         *     }
         */
        Error: {
            /** @description The HTTP status again. */
            statusCode: number;
            /** @description The status in words. */
            error: string;
            code: components["schemas"]["ErrorCode"];
            /** @description For a developer; may change at any time. */
            message: string;
            /** @description Equals the X-Request-Id of the answer. */
            requestId: string;
            /** @description With VALIDATION_FAILED, the fields concerned. */
            details?: components["schemas"]["ErrorDetail"][];
        };
        /** @enum {string} */
        RoleType: "CUSTOMER" | "EMPLOYEE" | "ADMIN" | "OPERATOR" | "ARBITER";
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         * @example 2026-11-20T09:30:00.000Z
         */
        Timestamp: string;
        /** @enum {string} */
        PlatformRole: "ADMIN" | "OPERATOR" | "ARBITER";
    };
    responses: {
        /** @description `EMAIL_TAKEN`: an account has this e-mail, of whichever kind and letter case. */
        EmailTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 409,
                 *       "error": "Conflict",
                 *       "code": "EMAIL_TAKEN",
                 *       "message": "An account with this e-mail exists",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `INVALID_CREDENTIALS`: unknown e-mail, wrong password, or no account of this kind
         *     - `USER_BLOCKED`: the password is right and the user is blocked
         */
        SignInRefused: {
            headers: {
                "WWW-Authenticate"?: "Bearer";
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 401,
                 *       "error": "Unauthorized",
                 *       "code": "INVALID_CREDENTIALS",
                 *       "message": "The e-mail or the password is wrong",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `DOMAIN_NOT_ALLOWED`: the e-mail's domain is not on the allow-list (the password is not looked at)
         *     - `PLATFORM_ROLE_INVALID`: the password is right and the user holds no platform role, or two
         */
        AdmissionRefused: {
            headers: {
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
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `WORKSPACE_FORBIDDEN`: the caller is not an ADMIN
         *     - `DOMAIN_NOT_ALLOWED`: the e-mail's domain is not on the allow-list
         *     - `REGISTRATION_CLOSED`: the first administrator can no longer register without a token
         */
        RegistrationRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "error": "Forbidden",
                 *       "code": "DOMAIN_NOT_ALLOWED",
                 *       "message": "Administrators need an e-mail of an allowed domain",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `RATE_LIMITED`: too many failed sign-ins at this account, or too many requests from this address.
         *
         *     After five failures from a client network (an IPv4 address, the /64 of an IPv6 address) at an account the delay
         *     doubles from one second to fifteen minutes; refused attempts do not count, a success clears it. After 100 failures
         *     within an hour at an account, from any networks, only a device that has signed in from the same network before is
         *     let through; a password reset by code lifts that limit.
         */
        TooManyTries: {
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
                 *       "message": "Too many wrong passwords; try again later",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `RATE_LIMITED`: too many wrong current passwords of this user, or too many requests from this address.
         *
         *     Counted as failed sign-ins are, but apart from them: five from a client network without a delay, then one that
         *     doubles from one second to fifteen minutes; 100 within an hour for a user, from any networks, except on a device
         *     that has signed in from the same network before. A right current password clears the former, a password reset by
         *     code the latter.
         */
        TooManyWrongPasswords: {
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
                 *       "message": "Too many wrong passwords; try again later",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `TOKEN_INVALID`: missing, malformed, expired, forged, no longer registered, or a token of another kind
         *     - `USER_BLOCKED`: the user is blocked
         *     - `SESSION_NOT_FOUND`: no session with this user, fingerprint and access token, or X-Session-Id names another
         */
        SessionRefused: {
            headers: {
                "WWW-Authenticate"?: "Bearer";
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 401,
                 *       "error": "Unauthorized",
                 *       "code": "SESSION_NOT_FOUND",
                 *       "message": "There is no such session for this token and device",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `SESSION_NOT_FOUND`: none of the caller's sessions has this id, or it has ended. */
        NoSuchSession: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 404,
                 *       "error": "Not Found",
                 *       "code": "SESSION_NOT_FOUND",
                 *       "message": "There is no such session",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `TOKEN_INVALID`: missing, malformed, expired, forged, no longer registered, or a token of another kind
         *     - `USER_BLOCKED`: the user is blocked
         *     - `SESSION_NOT_FOUND`: no session with this id, user and fingerprint
         *     - `REFRESH_TOKEN_SUPERSEDED`: another request has just exchanged this token (two tabs at once). Nothing is
         *       revoked and no cookie is touched: use the pair that the other request got
         *     - `REFRESH_TOKEN_REUSED`: a token that was exchanged before. The session's tokens are removed, the cookie is
         *       cleared: sign in again
         */
        RefreshRefused: {
            headers: {
                "WWW-Authenticate"?: "Bearer";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `CODE_INVALID`: wrong, expired, used, or attempted too often, which is five times from one client network (IPv4
         *       address, IPv6 /64) and twenty times in all; which of them is not told
         *     - `VALIDATION_FAILED`: the request breaks the contract; `details` names the fields
         */
        CodeRefused: {
            headers: {
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
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `CURRENT_PASSWORD_WRONG`: nothing is changed
         *     - `VALIDATION_FAILED`: the request breaks the contract; `details` names the fields
         */
        PasswordChangeRefused: {
            headers: {
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
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `EMAIL_ALREADY_VERIFIED`: there is nothing to do. */
        EmailAlreadyVerified: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 409,
                 *       "error": "Conflict",
                 *       "code": "EMAIL_ALREADY_VERIFIED",
                 *       "message": "The e-mail is verified already",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `RESEND_LOCKED`: a code was sent less than two minutes ago, or ten were sent to this e-mail for this purpose within
         *       an hour or thirty within a day. For an unknown e-mail the same
         *     - `RATE_LIMITED`: too many requests from this address
         */
        ResendLocked: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 429,
                 *       "error": "Too Many Requests",
                 *       "code": "RESEND_LOCKED",
                 *       "message": "No further code can be sent yet; retry later",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `RATE_LIMITED`: a hundred wrong codes for this e-mail within a day, over all codes of both purposes and all kinds, so
         *     that the right one is refused too; or too many requests from this address. For an unknown e-mail the same.
         */
        TooManyWrongCodes: {
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
                 *       "message": "Too many wrong codes; retry later",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description What any operation may answer:
         *     - 400 `VALIDATION_FAILED`: it cannot be read, such as a broken percent sign or a body that is not what it claims to be
         *     - 404 `ROUTE_NOT_FOUND` (a path with a trailing slash is another path), 405 `METHOD_NOT_ALLOWED` (with `Allow`)
         *     - 408 `REQUEST_TIMEOUT` (the body took longer than 10 s; the connection closes)
         *     - 413 `BODY_TOO_LARGE` (over 102,400 bytes), 415 `UNSUPPORTED_MEDIA_TYPE`, 431 `HEADERS_TOO_LARGE`
         *     - 429 `RATE_LIMITED` (with `Retry-After`): too many requests of a client network, or too many of its bodies at once
         *     - 500 `INTERNAL_ERROR`
         *     - 502 `UPSTREAM_UNAVAILABLE`, 504 `UPSTREAM_TIMEOUT`
         *     - 503 `SERVICE_UNAVAILABLE` (with `Retry-After`): a part is overloaded or away, or bodies take too much memory
         */
        OtherError: {
            headers: {
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
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `VALIDATION_FAILED`: the request breaks the contract; `details` names the fields. */
        ValidationFailed: {
            headers: {
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
                 *           "message": "must have required property 'x-fingerprint'"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `TOKEN_INVALID`: missing, malformed, expired, forged, no longer registered, or a token of another kind
         *     - `USER_BLOCKED`: the user is blocked
         */
        Unauthorized: {
            headers: {
                "WWW-Authenticate"?: "Bearer";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Names the device; opaque to the platform.
         * @example 7d1f6f0c9b
         */
        Fingerprint: string;
        /** @description The `session.id` of the sign-in. */
        SessionId: string;
        /** @description The `session.id` of the sign-in; if given, it must be the token's session. */
        OptionalSessionId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description `CustomerRefreshToken`, `EmployeeRefreshToken` or `AdminRefreshToken`: httpOnly, secure, sameSite none, path /, Max-Age the refresh
         *     lifetime in seconds; cleared by sign-out.
         */
        RefreshCookie: string;
        /** @description Seconds to wait before the next try. */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    customerSignUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerAuthSignUpDto"];
            };
        };
        responses: {
            /** @description The account. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAuthSignUpResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            409: components["responses"]["EmailTaken"];
            default: components["responses"]["OtherError"];
        };
    };
    customerSignIn: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the device; opaque to the platform.
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
            /** @description The access token; the refresh token comes as a cookie. */
            200: {
                headers: {
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SignInRefused"];
            429: components["responses"]["TooManyTries"];
            default: components["responses"]["OtherError"];
        };
    };
    customerMe: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the device; opaque to the platform.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAuthMeResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRefused"];
            default: components["responses"]["OtherError"];
        };
    };
    customerSignOut: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the device; opaque to the platform.
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
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRefused"];
            default: components["responses"]["OtherError"];
        };
    };
    customerRefreshToken: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the device; opaque to the platform.
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
            /** @description The new access token; the new refresh token comes as a cookie. */
            200: {
                headers: {
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAuthRefreshTokenResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["RefreshRefused"];
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
            /** @description Whether it is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerVerificationEmailCheckResponseDto"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    customerVerificationEmailCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The code is on its way. */
            200: {
                headers: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerVerificationEmailCheckResponseDto"];
                };
            };
            400: components["responses"]["CodeRefused"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["EmailAlreadyVerified"];
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
                "application/json": components["schemas"]["CustomerAuthResetPasswordDto"];
            };
        };
        responses: {
            /** @description Changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRefused"];
            401: components["responses"]["RefreshRefused"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    customerResetPasswordEmailCodeSend: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerAuthResetPasswordEmailCodeSendDto"];
            };
        };
        responses: {
            /** @description If the e-mail is known, the code is on its way. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            429: components["responses"]["ResendLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    customerResetPasswordEmailCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerAuthResetPasswordEmailCodeCheckDto"];
            };
        };
        responses: {
            /** @description The new password is set. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["CodeRefused"];
            429: components["responses"]["TooManyWrongCodes"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            401: components["responses"]["Unauthorized"];
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
            /** @description Only this session is signed in. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    customerEndSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NoSuchSession"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSignUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmployeeAuthSignUpDto"];
            };
        };
        responses: {
            /** @description The account. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeAuthSignUpResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            409: components["responses"]["EmailTaken"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSignIn: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the device; opaque to the platform.
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
            /** @description The access token; the refresh token comes as a cookie. */
            200: {
                headers: {
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SignInRefused"];
            429: components["responses"]["TooManyTries"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeMe: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the device; opaque to the platform.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeAuthMeResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRefused"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeSignOut: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the device; opaque to the platform.
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
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRefused"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeRefreshToken: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the device; opaque to the platform.
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
            /** @description The new access token; the new refresh token comes as a cookie. */
            200: {
                headers: {
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeAuthRefreshTokenResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["RefreshRefused"];
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
            /** @description Whether it is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeVerificationEmailCheckResponseDto"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeVerificationEmailCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The code is on its way. */
            200: {
                headers: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeVerificationEmailCheckResponseDto"];
                };
            };
            400: components["responses"]["CodeRefused"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["EmailAlreadyVerified"];
            429: components["responses"]["TooManyWrongCodes"];
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
                "application/json": components["schemas"]["EmployeeAuthResetPasswordDto"];
            };
        };
        responses: {
            /** @description Changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRefused"];
            401: components["responses"]["RefreshRefused"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeResetPasswordEmailCodeSend: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmployeeAuthResetPasswordEmailCodeSendDto"];
            };
        };
        responses: {
            /** @description If the e-mail is known, the code is on its way. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            429: components["responses"]["ResendLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeResetPasswordEmailCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmployeeAuthResetPasswordEmailCodeCheckDto"];
            };
        };
        responses: {
            /** @description The new password is set. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["CodeRefused"];
            429: components["responses"]["TooManyWrongCodes"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            401: components["responses"]["Unauthorized"];
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
            /** @description Only this session is signed in. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    employeeEndSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NoSuchSession"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorRegister: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminAuthRegisterDto"];
            };
        };
        responses: {
            /** @description The administrator. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuthRegisterResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["RegistrationRefused"];
            409: components["responses"]["EmailTaken"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorSignIn: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the device; opaque to the platform.
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
            /** @description The access token; the refresh token comes as a cookie. */
            200: {
                headers: {
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuthSignInResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SignInRefused"];
            403: components["responses"]["AdmissionRefused"];
            429: components["responses"]["TooManyTries"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorMe: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the device; opaque to the platform.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuthMeResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRefused"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorSignOut: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the device; opaque to the platform.
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
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRefused"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorRefreshToken: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the device; opaque to the platform.
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
            /** @description The new access token; the new refresh token comes as a cookie. */
            200: {
                headers: {
                    "Set-Cookie": components["headers"]["RefreshCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuthRefreshTokenResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["RefreshRefused"];
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
            /** @description Whether it is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminVerificationEmailCheckResponseDto"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorVerificationEmailCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The code is on its way. */
            200: {
                headers: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminVerificationEmailCheckResponseDto"];
                };
            };
            400: components["responses"]["CodeRefused"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["EmailAlreadyVerified"];
            429: components["responses"]["TooManyWrongCodes"];
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
                "application/json": components["schemas"]["AdminAuthResetPasswordDto"];
            };
        };
        responses: {
            /** @description Changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PasswordChangeRefused"];
            401: components["responses"]["RefreshRefused"];
            429: components["responses"]["TooManyWrongPasswords"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorResetPasswordEmailCodeSend: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminAuthResetPasswordEmailCodeSendDto"];
            };
        };
        responses: {
            /** @description If the e-mail is known, the code is on its way. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            429: components["responses"]["ResendLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorResetPasswordEmailCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminAuthResetPasswordEmailCodeCheckDto"];
            };
        };
        responses: {
            /** @description The new password is set. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["CodeRefused"];
            429: components["responses"]["TooManyWrongCodes"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            401: components["responses"]["Unauthorized"];
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
            /** @description Only this session is signed in. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorEndSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NoSuchSession"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAuthResponseDto"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
}

/** The security schemes that admit a caller to each operation; `never` where nobody is asked who they are. */
export interface operationSecurity {
    customerSignUp: never;
    customerSignIn: never;
    customerMe: 'customerAccess';
    customerSignOut: 'customerAccess';
    customerRefreshToken: 'customerRefresh';
    customerVerificationEmailCheck: 'customerAccess';
    customerVerificationEmailCode: 'customerAccess';
    customerVerificationEmailCodeCheck: 'customerAccess';
    customerResetPasswordMe: 'customerRefresh';
    customerResetPasswordEmailCodeSend: never;
    customerResetPasswordEmailCode: never;
    customerListSessions: 'customerAccess';
    customerEndOtherSessions: 'customerAccess';
    customerEndSession: 'customerAccess';
    employeeSignUp: never;
    employeeSignIn: never;
    employeeMe: 'employeeAccess';
    employeeSignOut: 'employeeAccess';
    employeeRefreshToken: 'employeeRefresh';
    employeeVerificationEmailCheck: 'employeeAccess';
    employeeVerificationEmailCode: 'employeeAccess';
    employeeVerificationEmailCodeCheck: 'employeeAccess';
    employeeResetPasswordMe: 'employeeRefresh';
    employeeResetPasswordEmailCodeSend: never;
    employeeResetPasswordEmailCode: never;
    employeeListSessions: 'employeeAccess';
    employeeEndOtherSessions: 'employeeAccess';
    employeeEndSession: 'employeeAccess';
    administratorRegister: 'administratorRegistration';
    administratorSignIn: never;
    administratorMe: 'administratorAccess';
    administratorSignOut: 'administratorAccess';
    administratorRefreshToken: 'administratorRefresh';
    administratorVerificationEmailCheck: 'administratorAccess';
    administratorVerificationEmailCode: 'administratorAccess';
    administratorVerificationEmailCodeCheck: 'administratorAccess';
    administratorResetPasswordMe: 'administratorRefresh';
    administratorResetPasswordEmailCodeSend: never;
    administratorResetPasswordEmailCode: never;
    administratorListSessions: 'administratorAccess';
    administratorEndOtherSessions: 'administratorAccess';
    administratorEndSession: 'administratorAccess';
    universalMe: 'universalAccess';
}
