// Generated from admin.yaml by `npm run generate`: change the contract, not this file.

export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say hello
         * @description For checks whether the API responds. It needs no token.
         */
        get: operations["hello"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller in the operator workspace
         * @description Returns the stored role, not the one in the token.
         */
        get: operations["operatorWorkspaceMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller in the administrator workspace
         * @description Returns the stored role, not the one in the token.
         */
        get: operations["administratorWorkspaceMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/arbiter/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller in the arbiter workspace
         * @description Returns the stored role, not the one in the token.
         */
        get: operations["arbiterWorkspaceMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Users
         * @description Newest first, or as `sort` says. Filters can be combined. `total` counts the users that match all of them.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signed-in administrator
         * @description Returns the stored role and roles, not those in the token.
         */
        get: operations["currentAdministrator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One user with profiles, projects, teams and ways to sign in
         * @description A profile is null if the user is not of its kind. Deleted projects are not listed. For a deleted user, this operation returns
         *     what is left; every other one returns 404.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Delete the account of a user
         * @description For a user who asks for it. It does what the user's own deletion does: tokens, sessions, factors, names and notes are deleted,
         *     projects keep an anonymous owner, teams lose the member, and a mail tells the user. The address is free afterwards.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/block": {
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
         * Block a user
         * @description The user's tokens are rejected from the next request on; none is deleted.
         */
        patch: operations["blockUser"];
        trace?: never;
    };
    "/users/{id}/unblock": {
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
         * Unblock a user
         * @description Tokens that have not expired are valid again.
         */
        patch: operations["unblockUser"];
        trace?: never;
    };
    "/users/{id}/second-factor": {
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
         * Remove the second factor of a user
         * @description For a user who has lost every factor: removes the authenticator app, the passkeys and the recovery codes, and ends all sessions
         *     and waiting sign-ins of the user, who is notified by e-mail. Nothing happens to a user without a second factor.
         */
        delete: operations["removeSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sessions of a user
         * @description The sessions that are signed in, of every kind of account and of a blocked user too, the latest sign-in first.
         */
        get: operations["listSessionsOfUser"];
        put?: never;
        post?: never;
        /**
         * End all sessions of a user
         * @description For a stolen device or token. All tokens of the user become invalid, of every kind of account, but the password does not: a thief
         *     who knows it can sign in again.
         */
        delete: operations["endSessionsOfUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/sessions/{sessionId}": {
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
         * End a session of a user
         * @description For a device that the user has lost. Its tokens become invalid; the user's other sessions stay.
         */
        delete: operations["endSessionOfUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/totp": {
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
         * Remove the authenticator app of a user
         * @description For a user who has lost the app, but has another factor, or none. Ends all sessions and waiting sign-ins of the user, who is
         *     notified by e-mail. Recovery codes go once no second step is due. `second-factor` removes all factors.
         */
        delete: operations["removeTotpOfUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/passkeys/{passkeyId}": {
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
         * Remove a passkey of a user
         * @description For a user who has lost the device. Ends all sessions and waiting sign-ins of the user, who is notified by e-mail. With the
         *     last factor the second step goes, too.
         */
        delete: operations["removePasskeyOfUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/identities/{identityId}": {
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
         * Unlink a provider's account from a user
         * @description The account at the provider no longer signs in, the sessions that it opened end, and the user is notified by e-mail.
         */
        delete: operations["unlinkIdentityOfUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/pauses/{secret}": {
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
         * End a pause of an account
         * @description After [many failed attempts](../docs/limits.md#failed-attempts) an account is paused for new devices. This ends the pause, and the next failure counts as
         *     the first one, also at an unverified address. The delay of a single network stays.
         */
        delete: operations["endPauseOfUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the data of a user
         * @description For a user who asks for the data and cannot sign in: what the user's own export would return, with the newest 5,000 audit
         *     records. `nextAuditCursor` leads to the next ones: with it as `auditCursor`, the same request returns these and nothing else.
         *     Each request is recorded in the audit log. Check the user's identity first.
         */
        get: operations["exportUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/reset-mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a user the code to reset the password
         * @description The mail that the user would get from the page of the first kind of account, customer or employee, with its limits. Blocked users
         *     and accounts without a password get it, too. Recorded in the audit log.
         */
        post: operations["sendResetMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/verification-mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a user the code to verify the address
         * @description The mail that the user would get from the page of the first kind of account, customer or employee, with its limits. Blocked users
         *     and accounts without a password get it, too. Recorded in the audit log.
         */
        post: operations["sendVerificationMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/platform-role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign a platform role to a user
         * @description All sessions of the user end, who is notified by e-mail, as is the caller. `npm run role:assign` does the same. The user needs a verified address
         *     of a domain that `ADMIN_ALLOWED_DOMAINS` allows, and keeps the accounts as a customer or an employee.
         */
        post: operations["assignPlatformRole"];
        /**
         * Remove the platform role of a user
         * @description All sessions of the user end, who is notified by e-mail. `npm run role:remove` does the same. A user without a platform
         *     role can be blocked; one who is also a customer or an employee can still sign in as such, and delete the account. Any other
         *     user can do neither: `erase` deletes the account too, and frees its e-mail address.
         */
        delete: operations["removePlatformRole"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Notes about a user, newest first
         * @description The notes of administrators. The user does not see them.
         */
        get: operations["listUserNotes"];
        put?: never;
        /**
         * Add a note about a user
         * @description For example, why the user was blocked. Notes are deleted with the account, and the user's export, events and logs do not contain
         *     them. A user gets sixty notes an hour; beyond it, `RATE_LIMITED`.
         */
        post: operations["addUserNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Projects, newest first
         * @description Filters can be combined. `total` counts the projects that match all of them. Deleted projects are not listed.
         */
        get: operations["listProjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One project
         * @description A deleted project is not found.
         */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /**
         * Delete a project
         * @description The project is hidden, not removed, and can be restored.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Change title, description or category
         * @description The status cannot be changed here: other services change it. With `If-Match`, only the version that the caller knows is changed.
         */
        patch: operations["editProject"];
        trace?: never;
    };
    "/projects/{id}/restore": {
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
         * Restore a deleted project
         * @description A project that is not deleted is returned unchanged.
         */
        patch: operations["restoreProject"];
        trace?: never;
    };
    "/administrator/deleted-projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deleted projects, latest deletion first
         * @description All other operations hide deleted projects. `PATCH /projects/{id}/restore` restores one.
         */
        get: operations["listDeletedProjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Teams, newest first
         * @description The number of pages is in `meta`.
         */
        get: operations["listTeams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/teams/{teamId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One team with its members
         * @description Removed members are listed too, with the time of their removal.
         */
        get: operations["getTeam"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/teams/{teamId}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a team that is in onboarding
         * @description The team becomes active, and `verifiedAt` is set. Of two concurrent calls, one succeeds.
         */
        post: operations["verifyTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/employees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Employees by their ids
         * @description In the order of the ids. An id that is repeated counts once. Unknown and deleted employees are left out.
         */
        get: operations["listEmployees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/employees/{employeeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One employee
         * @description The person behind a member of a team.
         */
        get: operations["getEmployee"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Audit records, newest first
         * @description A record is inserted in the transaction of the change that it describes, so neither exists without the other. Records
         *     are never changed; the daily cleanup deletes those older than `AUDIT_RETENTION_DAYS` (365 by default).
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/audit-log/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An audit record
         * @description As in the list, for a link to the record.
         */
        get: operations["getAuditRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Mails that are not sent yet, and failed ones, newest first
         * @description Shows neither texts nor codes. A mail is `waiting` until it is sent, also while it is being sent and between attempts. It is
         *     `failed` at once if the mail server rejects its recipient or content for good, and otherwise when its attempts end: those of
         *     a code after 15 minutes. The attempts of other mails do not end. Failed mails are deleted after
         *     `FAILED_MAIL_RETENTION_DAYS` (30 by default), those with a code after 7 days, or when 1,000 later ones have failed.
         *
         *     The newest 1,000 mails can be paged.
         */
        get: operations["listMails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The mails that a user was sent
         * @description Newest first, without texts and codes, for `SENT_MAIL_RETENTION_DAYS` after they were sent. A code that waits in the queue is
         *     among them, unless Redis is unavailable. `failure` of a waiting mail is that of its last attempt.
         */
        get: operations["listMailsOfUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/mails/{id}": {
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
         * Delete a mail, so that it is not sent
         * @description For a waiting or failed mail.
         */
        delete: operations["deleteMail"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/mails/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a mail now
         * @description A failed mail gets new attempts. A waiting one does not wait for its next attempt.
         */
        post: operations["retryMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact/lead": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a project request
         * @description A public form. The request is stored and mailed to the team.
         */
        post: operations["submitLeadRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact/support": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a support request
         * @description A public form. The request is stored and mailed to the team.
         */
        post: operations["submitSupportRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/contact-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stored contact forms, newest first
         * @description Filters can be combined. A form is deleted after `CONTACT_RETENTION_DAYS` (365 by default). A form that was sent from the
         *     verified address of an account is deleted together with that account.
         */
        get: operations["listContactRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/contact-requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A contact form with its notes, replies and history
         * @description Notes and replies are listed newest first. They are deleted with the form. The `ETag` changes with whatever a colleague
         *     can change: state, assignee, notes and replies.
         */
        get: operations["getContactRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Mark a contact form as done or not done, or assign it
         * @description Stores who marked it and when. What already is as requested is left unchanged. A form loses its assignee when that user loses the
         *     role ADMIN.
         */
        patch: operations["editContactRequest"];
        trace?: never;
    };
    "/administrator/contact-requests/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a note about a contact form
         * @description Only administrators see notes. Logs do not contain them. A form gets sixty notes an hour; beyond it, `RATE_LIMITED`.
         *     A request with an `id` can be repeated.
         */
        post: operations["addContactRequestNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/contact-requests/{id}/replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reply to the sender of a contact form
         * @description Mails the text as it is, with `CONTACT_INBOX` as Reply-To and the message of the sender below it, in the language of the account
         *     with this address, or else in that of the administrator. A reply does not assign the form, and marks it as done only with `isDone`. A
         *     request with an `id` can be repeated, and is mailed once. A mail that fails is in the list of mails.
         */
        post: operations["replyToContactRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Invitations that wait, newest first
         * @description An accepted, withdrawn, replaced or expired invitation is not listed.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite somebody to the back office
         * @description The address gets a mail with a code, which is valid for seven days and creates an account with the role
         *     (`auth/admin/invitations/accept`). A second invitation for the address replaces the first. The invitations of an ADMIN who is
         *     blocked, or loses the role, are deleted.
         */
        post: operations["invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/invitations/{id}": {
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
         * Withdraw an invitation
         * @description Its code is no longer valid, and its mail is not sent if it still waits.
         */
        delete: operations["withdrawInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/administrator/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign-ups and sign-ins by day, and what waits
         * @description The numbers of the days are those of the audit log: all kinds of accounts at sign-ins, also deleted accounts, and no imported
         *     ones. Failed codes that are only in the queue count as failed mails; without Redis, they are left out.
         */
        get: operations["getStatistics"];
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
        /** @description The user as they are now, also where the record is older. */
        UserReference: {
            id: components["schemas"]["UserId"];
            /**
             * @description Null if the user was deleted.
             * @example admin@example.com
             */
            email: string | null;
            name: components["schemas"]["UserName"];
        };
        Hello: {
            /** @constant */
            message: "Hello API";
        };
        /**
         * @description Exact up to 10,000. Beyond, that of a list without a search may be ten seconds old, and that of a search is 10,000.
         * @example 1
         */
        Total: number;
        /**
         * @description Present when a search has more than 10,000 matches, of which the newest 10,000 can be paged.
         * @enum {boolean}
         */
        TotalCapped: true;
        WorkspaceMe: {
            userId: components["schemas"]["UserId"];
            /** @example admin@example.com */
            email: string;
            platformRole: components["schemas"]["PlatformRole"];
        };
        AdminUserResponseDto: {
            id: components["schemas"]["UserId"];
            /**
             * @description `deleted` for a deleted user.
             * @example customer@example.com
             */
            email: string;
            name: components["schemas"]["UserName"];
            isBlocked: components["schemas"]["IsBlocked"];
            blockedAt?: components["schemas"]["BlockedAt"];
            /** @description Whether a second step is due: for an app, the role, or because the user has switched it on. */
            hasSecondStep: boolean;
            isEmailVerified: components["schemas"]["IsEmailVerified"];
            /**
             * @example [
             *       "CUSTOMER"
             *     ]
             */
            roles: components["schemas"]["RoleType"][];
            lastSignInAt: components["schemas"]["LastSignInAt"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        AdminUserPage: {
            data: components["schemas"]["AdminUserResponseDto"][];
            total: components["schemas"]["Total"];
            totalCapped?: components["schemas"]["TotalCapped"];
            /** @example 1 */
            page: number;
            /** @example 10 */
            perPage: number;
        };
        /**
         * @description First and last name of the customer's profile, or of the employee's, or the name that an administrator has chosen; null without
         *     one.
         * @example Ada Lovelace
         */
        UserName: string | null;
        /**
         * Format: date-time
         * @description The time of the block; absent while the user is not blocked, and when the audit log no longer has the block.
         * @example 2026-11-20T09:30:00.000Z
         */
        BlockedAt: string;
        UserTeam: {
            id: components["schemas"]["Uuid"];
            /** @example North Studio */
            name: string;
            role: components["schemas"]["MemberRole"];
            status: components["schemas"]["MemberStatus"];
        };
        /** @description What the user has set up to prove their identity after the password. */
        UserSecondFactors: {
            /** @description Whether an authenticator app is enabled. */
            totp: boolean;
            /**
             * @description How many the user has.
             * @example 1
             */
            passkeys: number;
            /**
             * @description The recovery codes that are not used.
             * @example 10
             */
            recoveryCodesLeft: number;
            /** @description Whether a second step is due: for the app, the role, or because the user has switched it on. */
            isRequired: boolean;
        };
        UserIdentity: {
            id: components["schemas"]["Uuid"];
            /**
             * @description The `id` of the provider.
             * @example company
             */
            provider: string;
            /**
             * @description The address at the provider.
             * @example customer@example.com
             */
            email: string | null;
            linkedAt: components["schemas"]["Timestamp"];
            lastUsedAt: components["schemas"]["LastUsedAt"];
        };
        UserPasskey: {
            id: components["schemas"]["Uuid"];
            /** @example Phone */
            name: string;
            createdAt: components["schemas"]["Timestamp"];
            lastUsedAt: components["schemas"]["LastUsedAt"];
        };
        /**
         * @description The latest block, which stays after its end until the next one; null without one, and when the audit log no longer has it. `note`
         *     is the first note that the same administrator wrote within a minute after it.
         * @example null
         */
        UserBlock: {
            at: components["schemas"]["Timestamp"];
            by: components["schemas"]["UserReference"];
            /**
             * @description Null without one.
             * @example Account taken over.
             */
            note: string | null;
        } | null;
        UserPause: {
            secret: components["schemas"]["GuessedSecret"];
            until: components["schemas"]["Timestamp"];
        };
        UserProject: {
            id: components["schemas"]["ProjectId"];
            /** @example Online shop for a bakery */
            title: string;
            status: components["schemas"]["ProjectStatus"];
            category: components["schemas"]["ProjectCategoryType"];
            createdAt: components["schemas"]["Timestamp"];
        };
        AdminUserDetailResponseDto: {
            id: components["schemas"]["UserId"];
            /**
             * @description `deleted` for a deleted user.
             * @example customer@example.com
             */
            email: string;
            name: components["schemas"]["UserName"];
            isBlocked: components["schemas"]["IsBlocked"];
            blockedAt?: components["schemas"]["BlockedAt"];
            isEmailVerified: components["schemas"]["IsEmailVerified"];
            /**
             * @example [
             *       "CUSTOMER"
             *     ]
             */
            roles: components["schemas"]["RoleType"][];
            language: components["schemas"]["MailLanguage"];
            lastSignInAt: components["schemas"]["LastSignInAt"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            profile: components["schemas"]["UserProfiles"];
            /** @description Those of the customer that are not deleted. */
            projects: components["schemas"]["UserProject"][];
            /** @description The memberships of the employee. */
            teams: components["schemas"]["UserTeam"][];
            /** @description Without one, a provider or a passkey signs in. */
            hasPassword: boolean;
            secondFactors: components["schemas"]["UserSecondFactors"];
            /** @description The accounts at providers that sign in to this one. */
            identities: components["schemas"]["UserIdentity"][];
            /** @description A passkey signs in alone, and is a second factor after a password. */
            passkeys: components["schemas"]["UserPasskey"][];
            block: components["schemas"]["UserBlock"];
            /** @description The pauses of the account after many failed attempts. */
            pauses: components["schemas"]["UserPause"][];
        };
        AdminMeResponseDto: {
            id: components["schemas"]["UserId"];
            /** @example admin@example.com */
            email: string;
            name: components["schemas"]["UserName"];
            platformRole: components["schemas"]["PlatformRole"];
            /**
             * @example [
             *       "ADMIN"
             *     ]
             */
            roles: components["schemas"]["RoleType"][];
            isBlocked: components["schemas"]["IsBlocked"];
            isEmailVerified: components["schemas"]["IsEmailVerified"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        UserBlocked: {
            /** @constant */
            message: "User has been blocked";
        };
        UserUnblocked: {
            /** @constant */
            message: "User has been unblocked";
        };
        UserSession: {
            id: components["schemas"]["Uuid"];
            /**
             * @description IP address of the last sign-in.
             * @example 203.0.113.7
             */
            ip: string;
            userAgent: components["schemas"]["UserAgent"];
            /**
             * @description How the session was signed in.
             * @example [
             *       "password",
             *       "totp"
             *     ]
             */
            methods: components["schemas"]["SignInMethod"][];
            createdAt: components["schemas"]["Timestamp"];
            signedInAt: components["schemas"]["Timestamp"];
            refreshedAt: components["schemas"]["RefreshedAt"];
            /** @description Whether the user chose to stay signed in. */
            staysSignedIn: boolean;
        };
        UserSessionList: {
            data: components["schemas"]["UserSession"][];
        };
        SentCode: {
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
        PlatformRoleRequest: {
            role: components["schemas"]["PlatformRole"];
        };
        NewUserNote: {
            /**
             * @description Plain text with line breaks, which the user never sees.
             * @example Blocked after three chargebacks.
             */
            text: string;
        };
        UserNote: {
            id: components["schemas"]["Uuid"];
            /**
             * @description Plain text with line breaks, which the user never sees.
             * @example Blocked after three chargebacks.
             */
            text: string;
            author: components["schemas"]["UserReference"];
            createdAt: components["schemas"]["Timestamp"];
        };
        UserNoteList: {
            data: components["schemas"]["UserNote"][];
        };
        AdminProjectPage: {
            data: components["schemas"]["AdminProjectResponseDto"][];
            total: components["schemas"]["Total"];
            totalCapped?: components["schemas"]["TotalCapped"];
            /** @example 1 */
            page: number;
            /** @example 10 */
            perPage: number;
        };
        DeletedProject: {
            id: components["schemas"]["ProjectId"];
            /** @example Online shop for a bakery */
            title: string;
            owner: components["schemas"]["ProjectOwner"];
            deletedAt: components["schemas"]["Timestamp"];
            /** @description Who deleted the project; null if that is not known. */
            deletedBy: components["schemas"]["UserReference"] | null;
        };
        DeletedProjectPage: {
            data: components["schemas"]["DeletedProject"][];
            total: components["schemas"]["Total"];
            totalCapped?: components["schemas"]["TotalCapped"];
            /** @example 1 */
            page: number;
            /** @example 10 */
            perPage: number;
        };
        /**
         * @description Changes the given fields; `{}` changes nothing.
         * @example {
         *       "title": "Online shop for a bakery"
         *     }
         */
        AdminProjectUpdateDto: {
            title?: string;
            /** @description Plain text with line breaks. */
            description?: string;
            category?: components["schemas"]["ProjectCategoryType"];
        };
        AdminTeamResponseDto: {
            id: components["schemas"]["TeamId"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            /** @example North Studio */
            name: string;
            slug: components["schemas"]["TeamSlug"];
            bio: components["schemas"]["TeamBio"];
            status: components["schemas"]["TeamStatus"];
            externalExperience: components["schemas"]["ExternalExperience"];
            verifiedAt: components["schemas"]["VerifiedAt"];
        };
        TeamMember: {
            employeeId: components["schemas"]["ProfileId"];
            role: components["schemas"]["MemberRole"];
            canSign: components["schemas"]["CanSign"];
            canSubmit: components["schemas"]["CanSubmit"];
            status: components["schemas"]["MemberStatus"];
            removedAt: components["schemas"]["RemovedAt"];
        };
        AdminTeamDetailResponseDto: {
            id: components["schemas"]["TeamId"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            /** @example North Studio */
            name: string;
            slug: components["schemas"]["TeamSlug"];
            bio: components["schemas"]["TeamBio"];
            status: components["schemas"]["TeamStatus"];
            externalExperience: components["schemas"]["ExternalExperience"];
            verifiedAt: components["schemas"]["VerifiedAt"];
            /** @description Also invited and removed ones. */
            members: components["schemas"]["TeamMember"][];
        };
        TeamPageMeta: {
            total: components["schemas"]["Total"];
            totalCapped?: components["schemas"]["TotalCapped"];
            /** @example 1 */
            page: number;
            /** @example 10 */
            perPage: number;
            /** @example 1 */
            totalPages: number;
        };
        AdminTeamPage: {
            data: components["schemas"]["AdminTeamResponseDto"][];
            meta: components["schemas"]["TeamPageMeta"];
        };
        EmployeeTeam: {
            id: components["schemas"]["TeamId"];
            /** @example North Studio */
            name: string;
            role: components["schemas"]["MemberRole"];
            status: components["schemas"]["MemberStatus"];
        };
        EmployeeCard: {
            employeeId: components["schemas"]["ProfileId"];
            userId: components["schemas"]["UserId"];
            /** @example employee@example.com */
            email: string;
            /**
             * @description Null if not given.
             * @example Grace
             */
            firstName: string | null;
            /**
             * @description Null if not given.
             * @example Hopper
             */
            lastName: string | null;
            /**
             * @description As the user has written it; null if not given.
             * @example null
             */
            phone: string | null;
            isBlocked: components["schemas"]["IsBlocked"];
            isEmailVerified: components["schemas"]["IsEmailVerified"];
            /** @description The memberships, also invitations and those that have ended. */
            teams: components["schemas"]["EmployeeTeam"][];
        };
        EmployeeCards: {
            data: components["schemas"]["EmployeeCard"][];
        };
        AuditEntry: {
            id: components["schemas"]["Uuid"];
            action: components["schemas"]["AuditAction"];
            /**
             * Format: uuid
             * @description The user who acted; null when nobody was signed in.
             */
            actorId: string | null;
            /**
             * @description As it is now; null for a deleted user too.
             * @example admin@example.com
             */
            actorEmail: string | null;
            /**
             * @description The name as it is now; null without one.
             * @example Grace Hopper
             */
            actorName: string | null;
            /**
             * @description The platform role that the actor holds now, which tells a colleague from a customer with the same name; null without one.
             * @example ADMIN
             */
            actorPlatformRole: string | null;
            /**
             * @description Null for a record without a target.
             * @example USER
             */
            targetType: string | null;
            /**
             * @description Null for a record without a target.
             * @example 5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11
             */
            targetId: string | null;
            /**
             * @description Name, title or e-mail of the target as it is now: of a user the name, or else the e-mail; the invited address of an invitation, masked as `j…@example.com` once it no longer waits; the address of a contact form. Of a mail, which one, followed by its masked recipient while it is known, such as `password-changed j…@example.com`. Null when the target is gone.
             * @example Ada Lovelace
             */
            targetName: string | null;
            /**
             * @description The user whom a record about something else concerns, such as that of a mail, a member of a team, the assignee of a form or the sender of an accepted invitation; null when there is none, and when that user is the target.
             * @example null
             */
            user: {
                id: components["schemas"]["Uuid"];
                /**
                 * @description The name as it is now, or else the e-mail; null for a deleted user.
                 * @example Ada Lovelace
                 */
                name: string | null;
            } | null;
            /**
             * @description The id of the request that caused the change.
             * @example 0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d
             */
            requestId: string;
            /**
             * @description The client address of the request.
             * @example 203.0.113.7
             */
            address: string;
            /**
             * @description Depends on the action. A project edit has `fields`, the names of the changed fields, and `changes`, their old and new values; a change of an account has its `kind`.
             * @example {
             *       "fields": [
             *         "title"
             *       ],
             *       "changes": {
             *         "title": {
             *           "from": "Shop",
             *           "to": "Online shop"
             *         }
             *       }
             *     }
             */
            details: {
                [key: string]: unknown;
            };
            createdAt: components["schemas"]["Timestamp"];
        };
        AuditPage: {
            data: components["schemas"]["AuditEntry"][];
            /**
             * @description Of the next page; null at the end.
             * @example null
             */
            nextCursor: string | null;
        };
        UserMailPage: {
            data: components["schemas"]["ExportedMail"][];
            total: components["schemas"]["Total"];
            /** @example 1 */
            page: number;
            /** @example 10 */
            perPage: number;
        };
        /**
         * @description `waiting`: not sent yet. `failed`: not attempted again, unless an ADMIN retries it.
         * @enum {string}
         */
        MailState: "waiting" | "failed";
        /**
         * @description - `mailbox-full`, `unknown-address`: of the recipient
         *     - `refused`: by the mail server, for another reason
         *     - `busy`: the mail server asks to try again later
         *     - `unreachable`: no connection to the mail server
         *     - `other`: anything else. A later release may add causes.
         */
        MailCause: "mailbox-full" | "unknown-address" | "refused" | "busy" | "unreachable" | "other" | (string & {});
        Mail: {
            id: components["schemas"]["Uuid"];
            mail: components["schemas"]["MailTemplate"];
            /**
             * @description The other service whose mail it is.
             * @example null
             */
            service: string | null;
            /**
             * @description The masked address.
             * @example j…@example.com
             */
            recipient: string;
            /**
             * @description The user whom the mail concerns; null without one, and for a code to reset a password.
             * @example null
             */
            user: {
                id: components["schemas"]["Uuid"];
                /**
                 * @description The name, or else the e-mail; null for a deleted user.
                 * @example Ada Lovelace
                 */
                name: string | null;
            } | null;
            state: components["schemas"]["MailState"];
            /**
             * @description The attempts that failed. They are counted anew each time the queue takes the mail from the outbox.
             * @example 1
             */
            attempts: number;
            /**
             * @description Why the last attempt failed.
             * @example Rejected: 550 5.1.1 Mailbox unknown
             */
            failure: string | null;
            /**
             * @description What the last failure means, by the codes of the mail server; null without one.
             * @example unknown-address
             */
            cause: components["schemas"]["MailCause"] | null;
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description The time of the next attempt after a failed one; otherwise null.
             * @example null
             */
            nextAttemptAt: string | null;
        };
        MailPage: {
            data: components["schemas"]["Mail"][];
            /**
             * @description At most 1,000.
             * @example 1
             */
            total: number;
            /**
             * @description Present when there are more than 1,000 mails, of which the newest 1,000 can be paged.
             * @enum {boolean}
             */
            totalCapped?: true;
            /** @example 1 */
            page: number;
            /** @example 10 */
            perPage: number;
        };
        /**
         * @description `lead`: a project request. `support`: a support request.
         * @enum {string}
         */
        ContactRequestKind: "lead" | "support";
        ContactRequest: {
            id: components["schemas"]["Uuid"];
            kind: components["schemas"]["ContactRequestKind"];
            /**
             * @description As entered; null if not given.
             * @example Ada Lovelace
             */
            name: string | null;
            /**
             * @description As entered; anybody can enter any address.
             * @example customer@example.com
             */
            email: string;
            /**
             * @description Null for a support request.
             * @example +44 20 7946 0958
             */
            phone: string | null;
            /**
             * @description Null for a support request.
             * @example Analytical Engines
             */
            company: string | null;
            /**
             * @description Null for a project request.
             * @example null
             */
            subject: string | null;
            /**
             * @description Plain text with line breaks; null if not given.
             * @example We need an online shop.
             */
            message: string | null;
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description Null while it is not done.
             * @example null
             */
            doneAt: string | null;
            /**
             * @description The ADMIN who marked the form as done.
             * @example null
             */
            doneBy: components["schemas"]["UserReference"] | null;
            /**
             * @description The ADMIN who works on the form.
             * @example null
             */
            assignee: components["schemas"]["UserReference"] | null;
            /**
             * @description The account whose verified address it was when the form came. It need not be that of the sender.
             * @example null
             */
            account: {
                id: components["schemas"]["Uuid"];
                /**
                 * @description The name, or else the e-mail; null for a deleted user.
                 * @example Ada Lovelace
                 */
                name: string | null;
            } | null;
            /**
             * Format: date-time
             * @description The time of the latest reply.
             * @example null
             */
            repliedAt: string | null;
        };
        ContactRequestDetail: {
            id: components["schemas"]["Uuid"];
            kind: components["schemas"]["ContactRequestKind"];
            /**
             * @description As entered; null if not given.
             * @example Ada Lovelace
             */
            name: string | null;
            /**
             * @description As entered; anybody can enter any address.
             * @example customer@example.com
             */
            email: string;
            /**
             * @description Null for a support request.
             * @example +44 20 7946 0958
             */
            phone: string | null;
            /**
             * @description Null for a support request.
             * @example Analytical Engines
             */
            company: string | null;
            /**
             * @description Null for a project request.
             * @example null
             */
            subject: string | null;
            /**
             * @description Plain text with line breaks; null if not given.
             * @example We need an online shop.
             */
            message: string | null;
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description Null while it is not done.
             * @example null
             */
            doneAt: string | null;
            /**
             * @description The ADMIN who marked the form as done.
             * @example null
             */
            doneBy: components["schemas"]["UserReference"] | null;
            /**
             * @description The ADMIN who works on the form.
             * @example null
             */
            assignee: components["schemas"]["UserReference"] | null;
            /**
             * @description The account whose verified address it was when the form came. It need not be that of the sender.
             * @example null
             */
            account: {
                id: components["schemas"]["Uuid"];
                /**
                 * @description The name, or else the e-mail; null for a deleted user.
                 * @example Ada Lovelace
                 */
                name: string | null;
            } | null;
            /**
             * Format: date-time
             * @description The time of the latest reply.
             * @example null
             */
            repliedAt: string | null;
            /** @description Newest first. */
            notes: components["schemas"]["ContactRequestEntry"][];
            /** @description Newest first. */
            replies: components["schemas"]["ContactRequestEntry"][];
            /** @description What administrators did with the form, newest first. */
            history: components["schemas"]["ContactRequestEvent"][];
        };
        /** @description A note, which only administrators see, or a reply, which the sender got by e-mail. */
        ContactRequestEntry: {
            id: components["schemas"]["Uuid"];
            /**
             * @description Plain text with line breaks.
             * @example Called back on Tuesday.
             */
            text: string;
            author: components["schemas"]["UserReference"];
            createdAt: components["schemas"]["Timestamp"];
        };
        ContactRequestEvent: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description `assigned`: to somebody, or to nobody.
             * @enum {string}
             */
            action: "assigned" | "done" | "reopened";
            /** @description The ADMIN. */
            by: components["schemas"]["UserReference"] | null;
        };
        /**
         * Format: uuid
         * @description The sender of the request makes it. The same request with the same id adds nothing.
         * @example 2f4b9e5c-8a36-4c1d-9b7e-5d0a1c3e6f82
         */
        NewEntryId: string;
        NewContactRequestNote: {
            id?: components["schemas"]["NewEntryId"];
            /**
             * @description Plain text with line breaks, which only administrators see.
             * @example Called back on Tuesday.
             */
            text: string;
        };
        NewContactRequestReply: {
            id?: components["schemas"]["NewEntryId"];
            /**
             * @description Marks the form as done.
             * @constant
             */
            isDone?: true;
            /**
             * @description Plain text with line breaks, which the sender gets by e-mail.
             * @example Hello Ada, we have found the cause.
             */
            text: string;
        };
        ContactRequestPage: {
            data: components["schemas"]["ContactRequest"][];
            total: components["schemas"]["Total"];
            totalCapped?: components["schemas"]["TotalCapped"];
            /** @example 1 */
            page: number;
            /** @example 10 */
            perPage: number;
        };
        ContactRequestUpdateDto: {
            /**
             * @description False opens it again.
             * @example true
             */
            isDone?: boolean;
            /**
             * Format: uuid
             * @description The id of an ADMIN; null for nobody.
             * @example null
             */
            assigneeId?: string | null;
        };
        LeaveRequestDto: {
            /** @example Ada Lovelace */
            name: string;
            email: components["schemas"]["NewEmail"];
            /**
             * @description In any notation.
             * @example +44 20 7946 0958
             */
            phone?: string;
            /** @example Analytical Engines */
            company?: string;
            /**
             * @description Plain text with line breaks.
             * @example We need an online shop.
             */
            message?: string;
        };
        SupportRequestDto: {
            email: components["schemas"]["NewEmail"];
            /** @example I cannot sign in */
            subject: string;
            /**
             * @description Plain text with line breaks.
             * @example The code does not arrive.
             */
            message: string;
            /** @example Ada Lovelace */
            name?: string;
        };
        InvitationRequest: {
            email: components["schemas"]["NewEmail"];
            role: components["schemas"]["PlatformRole"];
            /**
             * @description The language of the mail; without it, that of the mails to the caller.
             * @example en
             * @enum {string}
             */
            language?: "en" | "de";
        };
        Invitation: {
            id: components["schemas"]["Uuid"];
            /**
             * @description The invited address.
             * @example colleague@example.com
             */
            email: string;
            role: components["schemas"]["PlatformRole"];
            /**
             * @description The language of the mail. A later release may add languages.
             * @example en
             */
            language: "en" | "de" | (string & {});
            invitedBy: components["schemas"]["UserReference"];
            createdAt: components["schemas"]["Timestamp"];
            expiresAt: components["schemas"]["Timestamp"];
        };
        InvitationList: {
            data: components["schemas"]["Invitation"][];
            /**
             * @description The domains whose addresses may have a role of the back office, without their subdomains.
             * @example [
             *       "example.com"
             *     ]
             */
            allowedDomains: string[];
        };
        /** @description How many wait for an ADMIN, and since when. */
        Waiting: {
            /** @example 0 */
            count: number;
            /**
             * Format: date-time
             * @description When the first of them began to wait; null if none waits.
             * @example null
             */
            oldestAt: string | null;
        };
        StatisticsOfDay: {
            /**
             * @description In UTC.
             * @example 2026-11-20
             */
            day: string;
            /** @description New accounts, without imported ones and administrators. */
            signUps: {
                /** @example 3 */
                customers: number;
                /** @example 1 */
                employees: number;
            };
            /**
             * @description Of all kinds; a refresh is none.
             * @example 112
             */
            signIns: number;
            /**
             * @description Of all kinds.
             * @example 9
             */
            failedSignIns: number;
        };
        /** @description What has happened since the time in the query. */
        StatisticsSince: {
            /**
             * @description Of customers and employees.
             * @example 4
             */
            signUps: number;
            /**
             * @description Forms that are still stored, whether done or not.
             * @example 2
             */
            contactRequests: number;
            /** @example 1 */
            newTeams: number;
            /**
             * @description How often a user was blocked.
             * @example 0
             */
            blocked: number;
            /**
             * @description Mails that failed since then and have not been sent or deleted.
             * @example 0
             */
            failedMails: number;
            /** @example 0 */
            acceptedInvitations: number;
        };
        Statistics: {
            /** @description Oldest first. The last one is today. */
            days: components["schemas"]["StatisticsOfDay"][];
            /** @description Teams in `ONBOARDING` wait since their creation, forms that are not done since they were submitted, failed mails since their failure. */
            waiting: {
                teams: components["schemas"]["Waiting"];
                contactRequests: components["schemas"]["Waiting"];
                failedMails: components["schemas"]["Waiting"];
            };
            since?: components["schemas"]["StatisticsSince"];
        };
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
         * @description - `ADMIN`: manages users, projects, teams and contact forms in the back office
         *     - `OPERATOR`, `ARBITER`: sign in to the back office, where each has a workspace of its own
         * @enum {string}
         */
        PlatformRole: "ADMIN" | "OPERATOR" | "ARBITER";
        /**
         * @description - `CUSTOMER`: has projects
         *     - `EMPLOYEE`: belongs to teams, which do the work
         *     - `ADMIN`, `OPERATOR`, `ARBITER`: the platform roles, which open the back office
         * @enum {string}
         */
        RoleType: "CUSTOMER" | "EMPLOYEE" | "ADMIN" | "OPERATOR" | "ARBITER";
        /** @description Whether an ADMIN has blocked the user, whose sign-ins and tokens are rejected with `USER_BLOCKED`. */
        IsBlocked: boolean;
        /**
         * @description Whether somebody has proved to read the mails to the address. Before that, it may be the address of somebody else, and the
         *     account can have neither second factors nor linked identities.
         */
        IsEmailVerified: boolean;
        /**
         * Format: date-time
         * @description The last sign-in, to an account of any kind. It outlives the session, and is null before the first one.
         * @example 2026-11-20T09:30:00.000Z
         */
        LastSignInAt: string | null;
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         * @example 2026-11-20T09:30:00.000Z
         */
        Timestamp: string;
        /**
         * @description The language of the mails to the user. A later release may add languages.
         * @example en
         */
        MailLanguage: "en" | "de" | (string & {});
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
        /** @description Null if the user is not of this kind. */
        ProfileOrNone: components["schemas"]["Profile"] | null;
        UserProfiles: {
            customer: components["schemas"]["ProfileOrNone"];
            employee: components["schemas"]["ProfileOrNone"];
        };
        /**
         * Format: uuid
         * @example 74d3b8c6-e915-4f2a-a08b-5c7e9d1f3a60
         */
        ProjectId: string;
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
        /** @enum {string} */
        ProjectCategoryType: "WEB" | "MOBILE" | "DESIGN" | "MARKETING" | "DATA" | "DEVOPS" | "CONSULTING" | "OTHER";
        /**
         * Format: uuid
         * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
         */
        Uuid: string;
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
         * @description The last time that it signed in or confirmed a change; null before.
         * @example null
         */
        LastUsedAt: string | null;
        /**
         * @description The secret that was guessed; the other ones still work. A later release may add secrets.
         * @example password
         */
        GuessedSecret: "password" | "second-factor" | "email-code" | (string & {});
        /**
         * @description The beginning of the `User-Agent` of the sign-in; null without one, and for a session without tokens. Clients choose it, so it
         *     helps people recognise their devices and proves nothing.
         * @example Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36
         */
        UserAgent: string | null;
        /**
         * @description A provider is `oidc:` and its `id`; `mfa` is a second factor that the provider has verified. A later release may add methods.
         * @example password
         */
        SignInMethod: "password" | "email-code" | "totp" | "recovery-code" | "passkey" | "mfa" | (string & {});
        /**
         * Format: date-time
         * @description The last refresh; null before the first one.
         * @example 2026-11-20T10:15:00.000Z
         */
        RefreshedAt: string | null;
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
        /** @description The customer whose project it is. */
        ProjectOwner: {
            id: components["schemas"]["UserId"];
            /**
             * @description `deleted` for a deleted user.
             * @example customer@example.com
             */
            email: string;
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
        };
        AdminProjectResponseDto: {
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
            owner: components["schemas"]["ProjectOwner"];
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
         * @description Only the back office changes it.
         *     - `ONBOARDING`: new; an ADMIN has not verified the team yet
         *     - `ACTIVE`: verified
         *     - `SUSPENDED`: must not work for the time being
         *     - `ARCHIVED`: does not exist any more, and is kept for the record
         * @enum {string}
         */
        TeamStatus: "ONBOARDING" | "ACTIVE" | "SUSPENDED" | "ARCHIVED";
        /**
         * @description A unique name for addresses, which never changes.
         * @example north-studio
         */
        TeamSlug: string;
        /**
         * @description How the team presents itself, in plain text with line breaks; null if it does not.
         * @example Four people who build shops.
         */
        TeamBio: string | null;
        /**
         * @description What the team has done outside of the platform, in plain text with line breaks; null if it does not say.
         * @example null
         */
        ExternalExperience: string | null;
        /**
         * Format: date-time
         * @description When an ADMIN verified the team; null before.
         * @example null
         */
        VerifiedAt: string | null;
        /** @description May sign contracts in the name of the team. Stored by the platform; services must check it. */
        CanSign: boolean;
        /** @description May submit bids and work in the name of the team. Stored by the platform; services must check it. */
        CanSubmit: boolean;
        /** @enum {string} */
        AuditActionFilter: "ACCOUNT_DELETED" | "ACCOUNT_EXPORTED" | "ACCOUNT_IMPORTED" | "ACCOUNT_REGISTERED" | "ADMINISTRATOR_NAME_CHANGED" | "ADMINISTRATOR_REGISTERED" | "CONTACT_REQUEST_ASSIGNED" | "CONTACT_REQUEST_DONE" | "CONTACT_REQUEST_NOTE_ADDED" | "CONTACT_REQUEST_REOPENED" | "CONTACT_REQUEST_REPLIED" | "EMAIL_CHANGED" | "EMAIL_CHANGE_REQUESTED" | "EMAIL_VERIFIED" | "IDENTITY_LINKED" | "IDENTITY_UNLINKED" | "IDENTITY_USED" | "INVITATION_ACCEPTED" | "INVITATION_REJECTED" | "INVITATION_SENT" | "INVITATION_WITHDRAWN" | "MAIL_DELETED" | "MAIL_RETRIED" | "PASSKEY_ADDED" | "PASSKEY_REMOVED" | "PASSKEY_RENAMED" | "PASSWORD_CHANGED" | "PASSWORD_RESET" | "PAUSE_ENDED" | "PROFILE_CHANGED" | "PROJECT_CREATED" | "PROJECT_DELETED" | "PROJECT_EDITED" | "PROJECT_RESTORED" | "PROJECT_STATUS_CHANGED" | "PROVIDER_LOGOUT" | "RECOVERY_CODES_REPLACED" | "RECOVERY_CODE_USED" | "REFRESH_TOKEN_REUSED" | "RESET_MAIL_SENT" | "ROLE_ASSIGNED" | "ROLE_REMOVED" | "SECOND_FACTOR_RESET" | "SECOND_STEP_DISABLED" | "SECOND_STEP_ENABLED" | "SESSIONS_ENDED" | "SESSION_ENDED" | "SIGNED_IN" | "SIGN_IN_FAILED" | "TEAM_CREATED" | "TEAM_EDITED" | "TEAM_MEMBER_ADDED" | "TEAM_MEMBER_CHANGED" | "TEAM_MEMBER_REMOVED" | "TEAM_VERIFIED" | "TOTP_DISABLED" | "TOTP_ENABLED" | "USER_BLOCKED" | "USER_NOTE_ADDED" | "USER_UNBLOCKED" | "VERIFICATION_MAIL_SENT";
        /**
         * Format: email
         * @description Stored and compared in lower case. At most 64 characters precede the `@` (RFC 5321, 4.5.3.1.1).
         * @example user@example.com
         */
        NewEmail: string;
    };
    responses: {
        /**
         * @description - `WORKSPACE_FORBIDDEN`: the platform role in the token or the stored one belongs to another workspace
         *     - `PLATFORM_ROLE_INVALID`: the user holds no platform role any more, or two
         *     - `SECOND_FACTOR_ENROLMENT_REQUIRED`: the platform requires a second factor of this role, and the caller has not signed in with one
         */
        WorkspaceForbidden: {
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
         * @description - `WORKSPACE_FORBIDDEN`, `PLATFORM_ROLE_INVALID`, `SECOND_FACTOR_ENROLMENT_REQUIRED`: as for the other operations of this workspace
         *     - `PROOF_REQUIRED`: the sign-in and the latest proof of the caller are too old: send one to `auth/admin/proof`, and repeat the request
         */
        ProofRequired: {
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
                 *       "code": "PROOF_REQUIRED",
                 *       "message": "The last proof of your identity is too old: send one to auth/admin/proof, and repeat the request",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `WORKSPACE_FORBIDDEN`, `PLATFORM_ROLE_INVALID`, `SECOND_FACTOR_ENROLMENT_REQUIRED`: as for the other operations of this workspace
         *     - `USER_IS_ADMIN`: a user with the role ADMIN cannot be blocked
         */
        BlockForbidden: {
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
                 *       "code": "USER_IS_ADMIN",
                 *       "message": "Cannot block a user with ADMIN role",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `WORKSPACE_FORBIDDEN`, `PLATFORM_ROLE_INVALID`, `SECOND_FACTOR_ENROLMENT_REQUIRED`: as for the other operations of this workspace
         *     - `PROOF_REQUIRED`: send a proof to `auth/admin/proof`, and repeat the request
         *     - `OWN_SECOND_FACTOR`: an administrator removes the own factors with the password and a factor
         */
        FactorRemovalForbidden: {
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
                 *       "code": "OWN_SECOND_FACTOR",
                 *       "message": "Your own second factor cannot be removed here",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `USER_ALREADY_BLOCKED`
         *     - `VALIDATION_FAILED`: the request violates the contract; `details` names the fields
         */
        BlockRejected: {
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
                 *       "code": "USER_ALREADY_BLOCKED",
                 *       "message": "The user is already blocked",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `USER_NOT_BLOCKED`
         *     - `VALIDATION_FAILED`: the request violates the contract; `details` names the fields
         */
        UnblockRejected: {
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
                 *       "code": "USER_NOT_BLOCKED",
                 *       "message": "The user is not blocked",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `USER_NOT_FOUND` */
        UserNotFound: {
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
                 *       "code": "USER_NOT_FOUND",
                 *       "message": "User not found",
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
        UserDeletionRejected: {
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
                 *       "code": "PLATFORM_ROLE_TAKEN",
                 *       "message": "The user holds a platform role, which must be removed first",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `USER_NOT_FOUND`: there is no such user, or the account is deleted
         *     - `SESSION_NOT_FOUND`: the user has no such session, or it is not signed in
         */
        UserSessionNotFound: {
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
         * @description - `USER_NOT_FOUND`: there is no such user, or the account is deleted
         *     - `FACTOR_NOT_FOUND`: the user has no authenticator app
         */
        TotpOfUserNotFound: {
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
                 *       "code": "FACTOR_NOT_FOUND",
                 *       "message": "The user has no authenticator app",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `USER_NOT_FOUND`: there is no such user, or the account is deleted
         *     - `PASSKEY_NOT_FOUND`: the user has no such passkey
         */
        PasskeyOfUserNotFound: {
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
        /**
         * @description - `USER_NOT_FOUND`: there is no such user, or the account is deleted
         *     - `IDENTITY_NOT_FOUND`: the user has no such identity
         */
        IdentityOfUserNotFound: {
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
        /**
         * @description - `USER_NOT_FOUND`: there is no such user, or the account is deleted
         *     - `PAUSE_NOT_FOUND`: the account is not paused for this secret
         */
        PauseOfUserNotFound: {
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
                 *       "code": "PAUSE_NOT_FOUND",
                 *       "message": "The account is not paused for this secret",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description - `LAST_SIGN_IN_METHOD`: no password, passkey or identity would be left */
        LastSignInMethodOfUser: {
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
                 *       "message": "The user could not sign in any more",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `KIND_MISSING`: the user is neither a customer nor an employee. */
        KindMissing: {
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
                 *       "code": "KIND_MISSING",
                 *       "message": "The user is neither a customer nor an employee",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `KIND_MISSING`: the user is neither a customer nor an employee
         *     - `EMAIL_ALREADY_VERIFIED`
         */
        VerificationMailRejected: {
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
         * @description - `RESEND_LOCKED`: a code was sent to this address less than two minutes ago, or ten within an hour or thirty within a day
         *     - `RATE_LIMITED`: too many requests from this address
         */
        CodeToUserLocked: {
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
         * @description - `USER_NOT_FOUND`: there is no such user
         *     - `PLATFORM_ROLE_NOT_FOUND`: the user holds no platform role
         */
        PlatformRoleNotFound: {
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
                 *       "code": "PLATFORM_ROLE_NOT_FOUND",
                 *       "message": "The user holds no platform role",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `WORKSPACE_FORBIDDEN`, `PLATFORM_ROLE_INVALID`, `SECOND_FACTOR_ENROLMENT_REQUIRED`: as for the other operations of this workspace
         *     - `PROOF_REQUIRED`: send a proof to `auth/admin/proof`, and repeat the request
         *     - `EMAIL_NOT_VERIFIED`: the address of the user is not verified
         *     - `DOMAIN_NOT_ALLOWED`: administrators may not have addresses of its domain
         */
        RoleAssignmentForbidden: {
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
         * @description - `PLATFORM_ROLE_TAKEN`: the user holds a platform role, which must be removed first
         *     - `USER_IS_BLOCKED`
         */
        RoleAssignmentRejected: {
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
                 *       "code": "PLATFORM_ROLE_TAKEN",
                 *       "message": "The user already has a platform role",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `LAST_ADMINISTRATOR`: the platform would be left without an ADMIN
         *     - `OTHER_ROLES`: to be erased, but also a customer or an employee
         */
        RoleRemovalRejected: {
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
                 *       "code": "LAST_ADMINISTRATOR",
                 *       "message": "The user is the only ADMIN; register another one first",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `PROJECT_NOT_FOUND`; deleted projects can only be restored */
        ProjectNotFound: {
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
                 *       "code": "PROJECT_NOT_FOUND",
                 *       "message": "Project not found",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `CHANGED_MEANWHILE`: the project is not the one of `If-Match` any more; nothing was changed */
        ProjectChanged: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 412,
                 *       "error": "Precondition Failed",
                 *       "code": "CHANGED_MEANWHILE",
                 *       "message": "It has changed since the version in If-Match",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `TEAM_NOT_FOUND` */
        TeamNotFound: {
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
                 *       "code": "TEAM_NOT_FOUND",
                 *       "message": "Team not found",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `TEAM_NOT_ONBOARDING`: already verified, suspended or archived; `verifiedAt` does not change */
        TeamNotOnboarding: {
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
                 *       "code": "TEAM_NOT_ONBOARDING",
                 *       "message": "The team is not in onboarding",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `EMPLOYEE_NOT_FOUND`: unknown or deleted */
        EmployeeNotFound: {
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
                 *       "code": "EMPLOYEE_NOT_FOUND",
                 *       "message": "Employee not found",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `AUDIT_RECORD_NOT_FOUND`: unknown, or deleted by the cleanup */
        AuditRecordNotFound: {
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
                 *       "code": "AUDIT_RECORD_NOT_FOUND",
                 *       "message": "Audit record not found",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `MAIL_NOT_FOUND`: unknown, sent or deleted */
        MailNotFound: {
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
                 *       "code": "MAIL_NOT_FOUND",
                 *       "message": "Mail not found",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `MAIL_BEING_SENT` */
        MailBeingSent: {
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
                 *       "code": "MAIL_BEING_SENT",
                 *       "message": "The mail is being sent",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `MAIL_BEING_SENT`: the mail is being sent
         *     - `MAIL_EXPIRED`: the code in the mail is no longer valid: expired, used, exhausted by wrong tries,
         *       replaced by a newer one, or without effect since a proof of the address, a change of it, the deletion of the account or,
         *       for a change of the address, a new password or other second factors. That of an invitation is not valid either if its address has meanwhile an account that is
         *       verified or has a platform role
         */
        MailNotRetryable: {
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
        /** @description `RATE_LIMITED`: too many requests, or the administrator has sent sixty replies within an hour */
        TooManyReplies: {
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
                 *       "message": "Too many replies; retry later.",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `CONTACT_REQUEST_NOT_FOUND`: there is no such form
         *     - `USER_NOT_FOUND`: the new assignee is no ADMIN
         */
        ContactRequestOrUserNotFound: {
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
        /** @description `ID_TAKEN`: another note or reply has the `id`, or this one has another text */
        EntryIdTaken: {
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
                 *       "code": "ID_TAKEN",
                 *       "message": "Another note or reply has this id",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `CHANGED_MEANWHILE`: the form is not the one of `If-Match` any more; nothing was changed */
        ContactRequestChanged: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 412,
                 *       "error": "Precondition Failed",
                 *       "code": "CHANGED_MEANWHILE",
                 *       "message": "It has changed since the version in If-Match",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `CONTACT_REQUEST_NOT_FOUND` */
        ContactRequestNotFound: {
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
                 *       "code": "CONTACT_REQUEST_NOT_FOUND",
                 *       "message": "Contact request not found",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `WORKSPACE_FORBIDDEN`, `PLATFORM_ROLE_INVALID`, `SECOND_FACTOR_ENROLMENT_REQUIRED`: as for the other operations of this workspace
         *     - `PROOF_REQUIRED`: send a proof to `auth/admin/proof`, and repeat the request
         *     - `DOMAIN_NOT_ALLOWED`: administrators may not have addresses of this domain
         */
        InvitationForbidden: {
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
        /** @description `EMAIL_TAKEN`: an account with this address is verified or holds a platform role; assign the role to it. */
        InvitedEmailTaken: {
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
                 *       "message": "An account with this e-mail already exists; assign the role to it",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `INVITATION_NOT_FOUND`: unknown, accepted, withdrawn, replaced or expired. */
        InvitationNotFound: {
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
                 *       "code": "INVITATION_NOT_FOUND",
                 *       "message": "Invitation not found",
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
    };
    parameters: {
        /**
         * @description The id of the user or project.
         * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
         */
        Id: string;
        /** @description Counts from 1. A page past the end is empty. */
        Page: number;
        /** @description The items of a page. */
        PerPage: number;
        /**
         * @description Matches a part of the e-mail address of users, or of the title or description of projects. Letter case makes no difference,
         *     also that of ς and σ; accents do, but not whether they are written in Unicode's form NFC or NFD. White space around it is
         *     removed and does not count towards its length. There are no wildcards.
         */
        Search: string;
        /** @description Only users who hold the role. */
        Role: components["schemas"]["RoleType"];
        /**
         * @description One of these texts contains every word: the e-mail address, "first last" of either profile, or an administrator's name, so
         *     that one box finds `Wieczorek, Tomasz`. White space and commas part words. Letter case, accents and characters that nobody
         *     sees make no difference: `jose` finds José. Ø, ß and ł are letters of their own. Four digits and more also match the digits of
         *     a phone number, of which +49, 0049 and 0 are the same beginning. Totals are those of `search`, with which it can be combined.
         */
        NameOrEmail: string;
        /** @description Only blocked users, or only those who are not. */
        IsBlocked: boolean;
        /** @description Only users whose address is verified, or only those whose address is not. */
        IsEmailVerified: boolean;
        /** @description Only users who hold a platform role, or only those who hold none. */
        HasPlatformRole: boolean;
        /** @description Only users who were created at or after this time. */
        CreatedFrom: string;
        /** @description Only users who were created before this time. */
        CreatedUntil: string;
        /** @description The order; `-` is descending. Users with the same time are ordered by id, descending. Who has never signed in comes last. */
        SortUsers: "-createdAt" | "createdAt" | "-lastSignInAt" | "lastSignInAt";
        /**
         * @description The id of a session of this user.
         * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
         */
        UserSessionId: string;
        /**
         * @description The id of a passkey of this user.
         * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
         */
        PasskeyOfUserId: string;
        /**
         * @description The id of a provider's account that is linked to this user.
         * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
         */
        IdentityOfUserId: string;
        /**
         * @description What was guessed.
         * @example password
         */
        PausedSecret: "password" | "second-factor" | "email-code";
        /** @description Delete the account too, of a user who is neither a customer nor an employee. */
        Erase: boolean;
        /**
         * @description Matches a part of the title. Letter case makes no difference, also that of ς and σ; accents do, but not whether they are
         *     written in Unicode's form NFC or NFD. White space around it is removed and does not count towards its length. There are no
         *     wildcards.
         */
        DeletedProjectSearch: string;
        /** @description Only projects with the status. */
        ProjectStatusFilter: components["schemas"]["ProjectStatus"];
        /** @description Only projects of the category. */
        ProjectCategoryFilter: components["schemas"]["ProjectCategoryType"];
        /**
         * @description The id of the team.
         * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
         */
        TeamId: string;
        /** @description Counts from 1, which is the default. A page past the end is empty. */
        TeamPage: number;
        /** @description The items of a page; 10 by default. */
        TeamPerPage: number;
        /**
         * @description The name or the slug contains every word. White space and commas part words. Letter case, accents and characters that nobody
         *     sees make no difference: `jose` finds José. Ø, ß and ł are letters of their own. White space around it is removed and does not
         *     count towards its length. There are no wildcards.
         */
        TeamSearch: string;
        /** @description Only teams with the status. */
        TeamStatusFilter: components["schemas"]["TeamStatus"];
        /**
         * @description The id of the employee.
         * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
         */
        EmployeeId: string;
        /**
         * @description The id of the record.
         * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
         */
        AuditRecordId: string;
        /** @description The `nextCursor` of a page, for the records after it. Without it, the newest records. It does not expire. */
        Cursor: string;
        /** @description The user who acted, or to whom it was done; also records about something of the user, such as the membership of a team. */
        AuditUser: string;
        /** @description The user who acted. */
        AuditActor: string;
        /**
         * @description Only records of these actions: `?action=…&action=…`.
         * @example [
         *       "USER_BLOCKED"
         *     ]
         */
        AuditAction: components["schemas"]["AuditActionFilter"][];
        /** @description Leaves out `SIGNED_IN` and `SIGN_IN_FAILED`, also those while an account is paused. */
        AuditHideSignIns: boolean;
        /** @description The id of the changed user, project, team, contact form, invitation or mail. */
        AuditTarget: string;
        /** @description At or after this time. */
        AuditFrom: string;
        /** @description Before this time. */
        AuditUntil: string;
        /**
         * @description The id of the mail.
         * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
         */
        MailId: string;
        /** @description Only mails in the state. */
        MailStateFilter: components["schemas"]["MailState"];
        /**
         * @description The id of the contact form.
         * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
         */
        ContactRequestId: string;
        /** @description Only forms of the kind. */
        ContactRequestKindFilter: components["schemas"]["ContactRequestKind"];
        /** @description Only forms that are done, or only those that are not. */
        ContactRequestDoneFilter: boolean;
        /** @description The id of an ADMIN, for the forms that are assigned to them, or `none` for those without an assignee. */
        ContactRequestAssigneeFilter: string;
        /** @description Only forms that named the verified address of this user when they came, also an earlier address. */
        ContactRequestUserFilter: string;
        /**
         * @description The name, address, company or subject contains every word. White space and commas part words. Letter case, accents and
         *     characters that nobody sees make no difference. Totals are those of `search`.
         */
        ContactRequestSearch: string;
        /**
         * @description The id of the invitation.
         * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
         */
        InvitationId: string;
        /** @description The number of whole days before today. */
        StatisticsDays: number;
        /** @description A time within the last 90 days, such as that of the last visit, for the numbers in `since`. */
        StatisticsSince: string;
        /**
         * @description The `ETag` of the version to change, a list of them, or `*` for any version; without it, any version. What is no entity tag (RFC
         *     9110, 8.8.3), such as one without quotes, is `VALIDATION_FAILED`. Weak tags never match.
         * @example "81345"
         */
        IfMatch: string;
        /**
         * @description The base64 solution of a challenge (`/auth/bot-check`), where the platform keeps bots out. The client of the platform solves it
         *     when it is asked to.
         * @example eyJjaGFsbGVuZ2UiOnt9LCJzb2x1dGlvbiI6e319
         */
        BotCheck: string;
    };
    requestBodies: {
        /** @description No body, or an empty object. */
        Nothing: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
    };
    headers: {
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
        /**
         * @description The version. Every change, deletion and restoration has another one.
         * @example "81345"
         */
        EntityTag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    hello: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A greeting. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hello"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    operatorWorkspaceMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller and the stored role. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceMe"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    administratorWorkspaceMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller and the stored role. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceMe"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    arbiterWorkspaceMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller and the stored role. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceMe"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Counts from 1. A page past the end is empty. */
                page?: components["parameters"]["Page"];
                /** @description The items of a page. */
                perPage?: components["parameters"]["PerPage"];
                /** @description Only users who hold the role. */
                role?: components["parameters"]["Role"];
                /** @description Only blocked users, or only those who are not. */
                isBlocked?: components["parameters"]["IsBlocked"];
                /** @description Only users whose address is verified, or only those whose address is not. */
                isEmailVerified?: components["parameters"]["IsEmailVerified"];
                /** @description Only users who hold a platform role, or only those who hold none. */
                hasPlatformRole?: components["parameters"]["HasPlatformRole"];
                /** @description Only users who were created at or after this time. */
                createdFrom?: components["parameters"]["CreatedFrom"];
                /** @description Only users who were created before this time. */
                createdUntil?: components["parameters"]["CreatedUntil"];
                /** @description The order; `-` is descending. Users with the same time are ordered by id, descending. Who has never signed in comes last. */
                sort?: components["parameters"]["SortUsers"];
                /**
                 * @description Matches a part of the e-mail address of users, or of the title or description of projects. Letter case makes no difference,
                 *     also that of ς and σ; accents do, but not whether they are written in Unicode's form NFC or NFD. White space around it is
                 *     removed and does not count towards its length. There are no wildcards.
                 */
                search?: components["parameters"]["Search"];
                /**
                 * @description One of these texts contains every word: the e-mail address, "first last" of either profile, or an administrator's name, so
                 *     that one box finds `Wieczorek, Tomasz`. White space and commas part words. Letter case, accents and characters that nobody
                 *     sees make no difference: `jose` finds José. Ø, ß and ł are letters of their own. Four digits and more also match the digits of
                 *     a phone number, of which +49, 0049 and 0 are the same beginning. Totals are those of `search`, with which it can be combined.
                 */
                q?: components["parameters"]["NameOrEmail"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page and the total. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUserPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    currentAdministrator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The administrator. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminMeResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUserDetailResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["UserNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The account is deleted. */
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
            403: components["responses"]["ProofRequired"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["UserDeletionRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    blockUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description Blocked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserBlocked"];
                };
            };
            400: components["responses"]["BlockRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["BlockForbidden"];
            404: components["responses"]["UserNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    unblockUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description Unblocked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserUnblocked"];
                };
            };
            400: components["responses"]["UnblockRejected"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["UserNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    removeSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The user has no second factor. */
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
            403: components["responses"]["FactorRemovalForbidden"];
            404: components["responses"]["UserNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    listSessionsOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSessionList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["UserNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    endSessionsOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The user has no session. */
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
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["UserNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    endSessionOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
                /**
                 * @description The id of a session of this user.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                sessionId: components["parameters"]["UserSessionId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
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
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["UserSessionNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    removeTotpOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The user has no authenticator app. */
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
            403: components["responses"]["FactorRemovalForbidden"];
            404: components["responses"]["TotpOfUserNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    removePasskeyOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
                /**
                 * @description The id of a passkey of this user.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                passkeyId: components["parameters"]["PasskeyOfUserId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
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
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["FactorRemovalForbidden"];
            404: components["responses"]["PasskeyOfUserNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    unlinkIdentityOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
                /**
                 * @description The id of a provider's account that is linked to this user.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                identityId: components["parameters"]["IdentityOfUserId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The identity is unlinked. */
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
            403: components["responses"]["ProofRequired"];
            404: components["responses"]["IdentityOfUserNotFound"];
            409: components["responses"]["LastSignInMethodOfUser"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    endPauseOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
                /**
                 * @description What was guessed.
                 * @example password
                 */
                secret: components["parameters"]["PausedSecret"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The account is not paused for this secret. */
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
            403: components["responses"]["ProofRequired"];
            404: components["responses"]["PauseOfUserNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    exportUser: {
        parameters: {
            query?: {
                /** @description The `nextAuditCursor` of an export of this user, for the audit records after it. It does not expire. */
                auditCursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
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
            403: components["responses"]["ProofRequired"];
            404: components["responses"]["UserNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    sendResetMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The mail is queued for sending. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentCode"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["KindMissing"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["CodeToUserLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    sendVerificationMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The mail is queued for sending. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentCode"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["VerificationMailRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["CodeToUserLocked"];
            default: components["responses"]["OtherError"];
        };
    };
    assignPlatformRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlatformRoleRequest"];
            };
        };
        responses: {
            /** @description The user, with the role. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUserDetailResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["RoleAssignmentForbidden"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["RoleAssignmentRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRoleGrants"];
            default: components["responses"]["OtherError"];
        };
    };
    removePlatformRole: {
        parameters: {
            query?: {
                /** @description Delete the account too, of a user who is neither a customer nor an employee. */
                erase?: components["parameters"]["Erase"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The user holds no platform role, or is deleted. */
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
            403: components["responses"]["ProofRequired"];
            404: components["responses"]["PlatformRoleNotFound"];
            409: components["responses"]["RoleRemovalRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    listUserNotes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The notes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNoteList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["UserNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    addUserNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUserNote"];
            };
        };
        responses: {
            /** @description The note. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNote"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["UserNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description Counts from 1. A page past the end is empty. */
                page?: components["parameters"]["Page"];
                /** @description The items of a page. */
                perPage?: components["parameters"]["PerPage"];
                /** @description Only projects with the status. */
                status?: components["parameters"]["ProjectStatusFilter"];
                /** @description Only projects of the category. */
                category?: components["parameters"]["ProjectCategoryFilter"];
                /**
                 * @description Matches a part of the e-mail address of users, or of the title or description of projects. Letter case makes no difference,
                 *     also that of ς and σ; accents do, but not whether they are written in Unicode's form NFC or NFD. White space around it is
                 *     removed and does not count towards its length. There are no wildcards.
                 */
                search?: components["parameters"]["Search"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page and the total. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminProjectPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminProjectResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["ProjectNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description Deleted; it can be restored. */
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
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["ProjectNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    editProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change, a list of them, or `*` for any version; without it, any version. What is no entity tag (RFC
                 *     9110, 8.8.3), such as one without quotes, is `VALIDATION_FAILED`. Weak tags never match.
                 * @example "81345"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminProjectUpdateDto"];
            };
        };
        responses: {
            /** @description The updated project. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminProjectResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["ProjectNotFound"];
            412: components["responses"]["ProjectChanged"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    restoreProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The updated project. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminProjectResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["ProjectNotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    listDeletedProjects: {
        parameters: {
            query?: {
                /** @description Counts from 1. A page past the end is empty. */
                page?: components["parameters"]["Page"];
                /** @description The items of a page. */
                perPage?: components["parameters"]["PerPage"];
                /**
                 * @description Matches a part of the title. Letter case makes no difference, also that of ς and σ; accents do, but not whether they are
                 *     written in Unicode's form NFC or NFD. White space around it is removed and does not count towards its length. There are no
                 *     wildcards.
                 */
                search?: components["parameters"]["DeletedProjectSearch"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page and the total. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedProjectPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    listTeams: {
        parameters: {
            query?: {
                /** @description Counts from 1, which is the default. A page past the end is empty. */
                page?: components["parameters"]["TeamPage"];
                /** @description The items of a page; 10 by default. */
                perPage?: components["parameters"]["TeamPerPage"];
                /** @description Only teams with the status. */
                status?: components["parameters"]["TeamStatusFilter"];
                /**
                 * @description The name or the slug contains every word. White space and commas part words. Letter case, accents and characters that nobody
                 *     sees make no difference: `jose` finds José. Ø, ß and ł are letters of their own. White space around it is removed and does not
                 *     count towards its length. There are no wildcards.
                 */
                search?: components["parameters"]["TeamSearch"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page and the total. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminTeamPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the team.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                teamId: components["parameters"]["TeamId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The team. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminTeamDetailResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["TeamNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    verifyTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the team.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                teamId: components["parameters"]["TeamId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The team, now active. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminTeamResponseDto"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["TeamNotFound"];
            409: components["responses"]["TeamNotOnboarding"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    listEmployees: {
        parameters: {
            query: {
                /**
                 * @description The ids of the employees, which the members of a team have: `?id=…&id=…`.
                 * @example [
                 *       "c2a7d9f4-58b1-4e06-8f3a-90b6e1d4c725"
                 *     ]
                 */
                id: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The employees. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeCards"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    getEmployee: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the employee.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                employeeId: components["parameters"]["EmployeeId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The employee. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmployeeCard"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["EmployeeNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of a page, for the records after it. Without it, the newest records. It does not expire. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The items of a page. */
                perPage?: components["parameters"]["PerPage"];
                /** @description The user who acted, or to whom it was done; also records about something of the user, such as the membership of a team. */
                userId?: components["parameters"]["AuditUser"];
                /** @description The user who acted. */
                actorId?: components["parameters"]["AuditActor"];
                /**
                 * @description Only records of these actions: `?action=…&action=…`.
                 * @example [
                 *       "USER_BLOCKED"
                 *     ]
                 */
                action?: components["parameters"]["AuditAction"];
                /** @description Leaves out `SIGNED_IN` and `SIGN_IN_FAILED`, also those while an account is paused. */
                hideSignIns?: components["parameters"]["AuditHideSignIns"];
                /** @description The id of the changed user, project, team, contact form, invitation or mail. */
                targetId?: components["parameters"]["AuditTarget"];
                /** @description At or after this time. */
                from?: components["parameters"]["AuditFrom"];
                /** @description Before this time. */
                until?: components["parameters"]["AuditUntil"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, and the cursor of the next one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    getAuditRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["AuditRecordId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntry"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["AuditRecordNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    listMails: {
        parameters: {
            query?: {
                /** @description Counts from 1. A page past the end is empty. */
                page?: components["parameters"]["Page"];
                /** @description The items of a page. */
                perPage?: components["parameters"]["PerPage"];
                /** @description Only mails in the state. */
                state?: components["parameters"]["MailStateFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page and the total. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    listMailsOfUser: {
        parameters: {
            query?: {
                /** @description Counts from 1. A page past the end is empty. */
                page?: components["parameters"]["Page"];
                /** @description The items of a page. */
                perPage?: components["parameters"]["PerPage"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the user or project.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page and the total. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserMailPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["UserNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    deleteMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the mail.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["MailId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description Deleted. */
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
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["MailNotFound"];
            409: components["responses"]["MailBeingSent"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    retryMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the mail.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["MailId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The mail waits only for its turn. */
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
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["MailNotFound"];
            409: components["responses"]["MailNotRetryable"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    submitLeadRequest: {
        parameters: {
            query?: never;
            header?: {
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
                "application/json": components["schemas"]["LeaveRequestDto"];
            };
        };
        responses: {
            /** @description Stored and queued as a mail to the team. */
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
            403: components["responses"]["BotCheckRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    submitSupportRequest: {
        parameters: {
            query?: never;
            header?: {
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
                "application/json": components["schemas"]["SupportRequestDto"];
            };
        };
        responses: {
            /** @description Stored and queued as a mail to the team. */
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
            403: components["responses"]["BotCheckRejected"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    listContactRequests: {
        parameters: {
            query?: {
                /** @description Counts from 1. A page past the end is empty. */
                page?: components["parameters"]["Page"];
                /** @description The items of a page. */
                perPage?: components["parameters"]["PerPage"];
                /** @description Only forms of the kind. */
                kind?: components["parameters"]["ContactRequestKindFilter"];
                /** @description Only forms that are done, or only those that are not. */
                isDone?: components["parameters"]["ContactRequestDoneFilter"];
                /** @description The id of an ADMIN, for the forms that are assigned to them, or `none` for those without an assignee. */
                assigneeId?: components["parameters"]["ContactRequestAssigneeFilter"];
                /** @description Only forms that named the verified address of this user when they came, also an earlier address. */
                userId?: components["parameters"]["ContactRequestUserFilter"];
                /**
                 * @description The name, address, company or subject contains every word. White space and commas part words. Letter case, accents and
                 *     characters that nobody sees make no difference. Totals are those of `search`.
                 */
                q?: components["parameters"]["ContactRequestSearch"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page and the total. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactRequestPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    getContactRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the contact form.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["ContactRequestId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The form. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactRequestDetail"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["ContactRequestNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    editContactRequest: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change, a list of them, or `*` for any version; without it, any version. What is no entity tag (RFC
                 *     9110, 8.8.3), such as one without quotes, is `VALIDATION_FAILED`. Weak tags never match.
                 * @example "81345"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The id of the contact form.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["ContactRequestId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactRequestUpdateDto"];
            };
        };
        responses: {
            /** @description The form. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactRequestDetail"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["ContactRequestOrUserNotFound"];
            412: components["responses"]["ContactRequestChanged"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    addContactRequestNote: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change, a list of them, or `*` for any version; without it, any version. What is no entity tag (RFC
                 *     9110, 8.8.3), such as one without quotes, is `VALIDATION_FAILED`. Weak tags never match.
                 * @example "81345"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The id of the contact form.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["ContactRequestId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewContactRequestNote"];
            };
        };
        responses: {
            /** @description The note, which the same request has added before. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactRequestEntry"];
                };
            };
            /** @description The note. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactRequestEntry"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["ContactRequestNotFound"];
            409: components["responses"]["EntryIdTaken"];
            412: components["responses"]["ContactRequestChanged"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    replyToContactRequest: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the version to change, a list of them, or `*` for any version; without it, any version. What is no entity tag (RFC
                 *     9110, 8.8.3), such as one without quotes, is `VALIDATION_FAILED`. Weak tags never match.
                 * @example "81345"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The id of the contact form.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["ContactRequestId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewContactRequestReply"];
            };
        };
        responses: {
            /** @description The reply, which the same request has added and mailed before. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactRequestEntry"];
                };
            };
            /** @description The reply, whose mail waits for its turn. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactRequestEntry"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["ContactRequestNotFound"];
            409: components["responses"]["EntryIdTaken"];
            412: components["responses"]["ContactRequestChanged"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyReplies"];
            default: components["responses"]["OtherError"];
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    invite: {
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
                 *       "email": "colleague@example.com",
                 *       "role": "OPERATOR"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationRequest"];
            };
        };
        responses: {
            /** @description The invitation, whose mail is queued for sending. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InvitationForbidden"];
            409: components["responses"]["InvitedEmailTaken"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRoleGrants"];
            default: components["responses"]["OtherError"];
        };
    };
    withdrawInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the invitation.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                id: components["parameters"]["InvitationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation is deleted. */
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
            403: components["responses"]["WorkspaceForbidden"];
            404: components["responses"]["InvitationNotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["OtherError"];
        };
    };
    getStatistics: {
        parameters: {
            query?: {
                /** @description The number of whole days before today. */
                days?: components["parameters"]["StatisticsDays"];
                /** @description A time within the last 90 days, such as that of the last visit, for the numbers in `since`. */
                since?: components["parameters"]["StatisticsSince"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statistics"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["WorkspaceForbidden"];
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
    hello: {
        operation: operations['hello'];
        security: never;
        kind: never;
    };
    operatorWorkspaceMe: {
        operation: operations['operatorWorkspaceMe'];
        security: 'jwt-admin-access';
        kind: never;
    };
    administratorWorkspaceMe: {
        operation: operations['administratorWorkspaceMe'];
        security: 'jwt-admin-access';
        kind: never;
    };
    arbiterWorkspaceMe: {
        operation: operations['arbiterWorkspaceMe'];
        security: 'jwt-admin-access';
        kind: never;
    };
    listUsers: {
        operation: operations['listUsers'];
        security: 'jwt-admin-access';
        kind: never;
    };
    currentAdministrator: {
        operation: operations['currentAdministrator'];
        security: 'jwt-admin-access';
        kind: never;
    };
    getUser: {
        operation: operations['getUser'];
        security: 'jwt-admin-access';
        kind: never;
    };
    deleteUser: {
        operation: operations['deleteUser'];
        security: 'jwt-admin-access';
        kind: never;
    };
    blockUser: {
        operation: operations['blockUser'];
        security: 'jwt-admin-access';
        kind: never;
    };
    unblockUser: {
        operation: operations['unblockUser'];
        security: 'jwt-admin-access';
        kind: never;
    };
    removeSecondFactor: {
        operation: operations['removeSecondFactor'];
        security: 'jwt-admin-access';
        kind: never;
    };
    listSessionsOfUser: {
        operation: operations['listSessionsOfUser'];
        security: 'jwt-admin-access';
        kind: never;
    };
    endSessionsOfUser: {
        operation: operations['endSessionsOfUser'];
        security: 'jwt-admin-access';
        kind: never;
    };
    endSessionOfUser: {
        operation: operations['endSessionOfUser'];
        security: 'jwt-admin-access';
        kind: never;
    };
    removeTotpOfUser: {
        operation: operations['removeTotpOfUser'];
        security: 'jwt-admin-access';
        kind: never;
    };
    removePasskeyOfUser: {
        operation: operations['removePasskeyOfUser'];
        security: 'jwt-admin-access';
        kind: never;
    };
    unlinkIdentityOfUser: {
        operation: operations['unlinkIdentityOfUser'];
        security: 'jwt-admin-access';
        kind: never;
    };
    endPauseOfUser: {
        operation: operations['endPauseOfUser'];
        security: 'jwt-admin-access';
        kind: never;
    };
    exportUser: {
        operation: operations['exportUser'];
        security: 'jwt-admin-access';
        kind: never;
    };
    sendResetMail: {
        operation: operations['sendResetMail'];
        security: 'jwt-admin-access';
        kind: never;
    };
    sendVerificationMail: {
        operation: operations['sendVerificationMail'];
        security: 'jwt-admin-access';
        kind: never;
    };
    assignPlatformRole: {
        operation: operations['assignPlatformRole'];
        security: 'jwt-admin-access';
        kind: never;
    };
    removePlatformRole: {
        operation: operations['removePlatformRole'];
        security: 'jwt-admin-access';
        kind: never;
    };
    listUserNotes: {
        operation: operations['listUserNotes'];
        security: 'jwt-admin-access';
        kind: never;
    };
    addUserNote: {
        operation: operations['addUserNote'];
        security: 'jwt-admin-access';
        kind: never;
    };
    listProjects: {
        operation: operations['listProjects'];
        security: 'jwt-admin-access';
        kind: never;
    };
    getProject: {
        operation: operations['getProject'];
        security: 'jwt-admin-access';
        kind: never;
    };
    editProject: {
        operation: operations['editProject'];
        security: 'jwt-admin-access';
        kind: never;
    };
    deleteProject: {
        operation: operations['deleteProject'];
        security: 'jwt-admin-access';
        kind: never;
    };
    restoreProject: {
        operation: operations['restoreProject'];
        security: 'jwt-admin-access';
        kind: never;
    };
    listDeletedProjects: {
        operation: operations['listDeletedProjects'];
        security: 'jwt-admin-access';
        kind: never;
    };
    listTeams: {
        operation: operations['listTeams'];
        security: 'jwt-admin-access';
        kind: never;
    };
    getTeam: {
        operation: operations['getTeam'];
        security: 'jwt-admin-access';
        kind: never;
    };
    verifyTeam: {
        operation: operations['verifyTeam'];
        security: 'jwt-admin-access';
        kind: never;
    };
    listEmployees: {
        operation: operations['listEmployees'];
        security: 'jwt-admin-access';
        kind: never;
    };
    getEmployee: {
        operation: operations['getEmployee'];
        security: 'jwt-admin-access';
        kind: never;
    };
    listAuditLog: {
        operation: operations['listAuditLog'];
        security: 'jwt-admin-access';
        kind: never;
    };
    getAuditRecord: {
        operation: operations['getAuditRecord'];
        security: 'jwt-admin-access';
        kind: never;
    };
    listMails: {
        operation: operations['listMails'];
        security: 'jwt-admin-access';
        kind: never;
    };
    listMailsOfUser: {
        operation: operations['listMailsOfUser'];
        security: 'jwt-admin-access';
        kind: never;
    };
    deleteMail: {
        operation: operations['deleteMail'];
        security: 'jwt-admin-access';
        kind: never;
    };
    retryMail: {
        operation: operations['retryMail'];
        security: 'jwt-admin-access';
        kind: never;
    };
    submitLeadRequest: {
        operation: operations['submitLeadRequest'];
        security: never;
        kind: never;
    };
    submitSupportRequest: {
        operation: operations['submitSupportRequest'];
        security: never;
        kind: never;
    };
    listContactRequests: {
        operation: operations['listContactRequests'];
        security: 'jwt-admin-access';
        kind: never;
    };
    getContactRequest: {
        operation: operations['getContactRequest'];
        security: 'jwt-admin-access';
        kind: never;
    };
    editContactRequest: {
        operation: operations['editContactRequest'];
        security: 'jwt-admin-access';
        kind: never;
    };
    addContactRequestNote: {
        operation: operations['addContactRequestNote'];
        security: 'jwt-admin-access';
        kind: never;
    };
    replyToContactRequest: {
        operation: operations['replyToContactRequest'];
        security: 'jwt-admin-access';
        kind: never;
    };
    listInvitations: {
        operation: operations['listInvitations'];
        security: 'jwt-admin-access';
        kind: never;
    };
    invite: {
        operation: operations['invite'];
        security: 'jwt-admin-access';
        kind: never;
    };
    withdrawInvitation: {
        operation: operations['withdrawInvitation'];
        security: 'jwt-admin-access';
        kind: never;
    };
    getStatistics: {
        operation: operations['getStatistics'];
        security: 'jwt-admin-access';
        kind: never;
    };
}
