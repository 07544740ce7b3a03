// Generated from internal.yaml by `npm run generate`: change the contract, not this file.

export interface paths {
    "/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the user of an access token
         * @description [RFC 7662](https://www.rfc-editor.org/rfc/rfc7662), for an access token of any kind. The token is active exactly when `me` accepts
         *     it and the user need not set up a second factor first, so a block, a sign-out or a removed role counts at once: ask at every
         *     request. It is a use of the token, as any request with it.
         */
        post: operations["introspectToken"];
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
         * Get users by their ids, or one by its address
         * @description In the order of the ids, each once. Ids without a user are left out; deleted users are included, without personal data. An
         *     address finds the account that has it, in any letter case, verified or not: unless `isEmailVerified`, somebody else may have
         *     signed up with it.
         */
        get: operations["findUsers"];
        put?: never;
        post?: never;
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
         * List projects, or get them by their ids
         * @description Without `id`, a page in the order of the ids, deleted projects included: for a service that begins, or begins again after
         *     `EVENTS_EXPIRED`. A page may be shorter than `limit`; only a `nextCursor` of null is the end. What is created behind the cursor is
         *     found by a later page. With `id`, the projects in the order of the ids, each once, without unknown ones.
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
         * Get one project
         * @description A deleted project is found, too; its `deletedAt` is not null.
         */
        get: operations["getProjectById"];
        /**
         * Create a project
         * @description The service makes the id, so that a request can be repeated. The body that created the project returns the project as it is
         *     now, whatever has happened to it since, and changes nothing. Bodies are compared with their defaults and without white space
         *     around texts. The
         *     errors take precedence in this order: `PROJECT_EXISTS`, `ID_TAKEN`, `USER_NOT_FOUND`.
         */
        put: operations["putProject"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a project
         * @description Changes the given fields. Any status may follow any other: the platform judges no transition, so the services must. A stage belongs to the status `CONTRACTING`, and only to it: to begin
         *     contracting takes both, a stage alone or the status alone is fine while it lasts, and leaving it clears the stage. A deleted
         *     project is not found until it is restored.
         */
        patch: operations["changeProject"];
        trace?: never;
    };
    "/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List teams with their members, or get them by their ids
         * @description Without `id`, a page in the order of the ids: for a service that begins, or begins again after
         *     `EVENTS_EXPIRED`. A page may be shorter than `limit`; only a `nextCursor` of null is the end. What is created behind the cursor is
         *     found by a later page. With `id`, the teams in the order of the ids, each once, without unknown ones.
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
    "/teams/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one team with its members
         * @description Former members have the status `REMOVED`.
         */
        get: operations["getTeamById"];
        /**
         * Create a team
         * @description In onboarding, with the employee as its first administrator, who is active and can sign and submit. The service makes the id, so
         *     that a request can be repeated: the body that created the team returns it as it is now, and changes nothing. Bodies are compared
         *     with their defaults and without white space around texts. Without a `slug`, one is made from the name.
         */
        put: operations["putTeam"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a team
         * @description Changes the given fields. Only the verification by an ADMIN changes the status.
         */
        patch: operations["changeTeam"];
        trace?: never;
    };
    "/teams/{id}/members/{employeeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add or change a member
         * @description A removed member is added again. The team keeps at least one active administrator.
         */
        put: operations["putTeamMember"];
        post?: never;
        /**
         * Remove a member
         * @description The member stays in the list with the status `REMOVED`. The team keeps at least one active administrator.
         */
        delete: operations["removeTeamMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mails/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Mail a user
         * @description The platform mails the user in its own look and in the user's language, in a mail that names the service, so a service needs no
         *     address. The service makes the id, so that a request can be repeated: the same body again changes nothing, mails nobody, and
         *     returns what has become of the mail, also after the address has changed. Bodies are compared without white space around texts.
         *
         *     Ids belong to their service. They are known for as long as the mail is recorded (`SENT_MAIL_RETENTION_DAYS`, 30 by default, after
         *     it was sent), and not beyond the account; the text is deleted when the mail is sent. The address is that of the moment in which
         *     the mail is sent. Blocked users are mailed, too. The errors take precedence in the order 404, 409, 403, 429.
         */
        put: operations["putMail"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the events, oldest first
         * @description A reader stores `next` with its own work and sends it as `after` of its next request. It then gets every event of every committed
         *     change exactly once, those of one subject in the order of their commits, whatever is committed meanwhile, and after a crash or a
         *     failover too. Events are kept for `EVENT_RETENTION_DAYS` (30 by default).
         */
        get: operations["listEvents"];
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
        /**
         * @description Null at the end; absent with `id`.
         * @example null
         */
        NextCursor: string | null;
        /** @description The body of every error response. */
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
        Introspection: {
            /**
             * @description An access token of any kind.
             * @example eyJhbGciOiJIUzI1NiJ9.eyJ1c2VySWQiOiIuLi4ifQ.c2lnbmF0dXJl
             */
            token: string;
            /**
             * @description The `X-Fingerprint` of the request. A token of another device is not active.
             * @example 7d1f6f0c9b
             */
            fingerprint?: string;
            /**
             * @description Ignored.
             * @example access_token
             */
            token_type_hint?: string;
        };
        /**
         * @description A provider is `oidc:` and its name in `OIDC_PROVIDERS`; `mfa` is a second factor that the provider has verified. A later release may add methods.
         * @example password
         */
        SignInMethod: "password" | "email-code" | "totp" | "recovery-code" | "passkey" | "mfa" | (string & {});
        InactiveToken: {
            /** @constant */
            active: false;
        };
        ActiveToken: {
            /** @constant */
            active: true;
            sub: components["schemas"]["UserId"];
            /**
             * @description The kind of the session.
             * @enum {string}
             */
            kind: "customer" | "employee" | "administrator";
            /**
             * @description As stored now.
             * @example [
             *       "CUSTOMER"
             *     ]
             */
            roles: components["schemas"]["RoleType"][];
            /** @description In an administrator's session only, and absent if the user does not hold exactly one platform role any more. */
            platform_role?: components["schemas"]["PlatformRole"];
            /** @description Null for an administrator. */
            profile_id: components["schemas"]["ProfileId"] | null;
            /**
             * Format: uuid
             * @example 1f9e4d7a-2b36-4c58-b7d0-6a5c8e3f9b42
             */
            session_id: string;
            /** @example ada@example.com */
            email: string;
            email_verified: boolean;
            /**
             * @description How the session was signed in.
             * @example [
             *       "password"
             *     ]
             */
            methods: components["schemas"]["SignInMethod"][];
            /**
             * @description When the token was issued, in seconds since 1970.
             * @example 1795427400
             */
            iat: number;
            /**
             * @description When the token expires, in seconds since 1970.
             * @example 1795431000
             */
            exp: number;
        };
        IntrospectionResult: components["schemas"]["ActiveToken"] | components["schemas"]["InactiveToken"];
        UserById: {
            id: components["schemas"]["UserId"];
            /**
             * @description Null if the user is deleted.
             * @example ada@example.com
             */
            email: string | null;
            isEmailVerified: boolean;
            isBlocked: boolean;
            /**
             * @example [
             *       "CUSTOMER"
             *     ]
             */
            roles: components["schemas"]["RoleType"][];
            language: components["schemas"]["MailLanguage"];
            profile: components["schemas"]["UserProfiles"];
            createdAt: components["schemas"]["Timestamp"];
            /** @example null */
            deletedAt: components["schemas"]["Timestamp"] | null;
        };
        UsersById: {
            data: components["schemas"]["UserById"][];
        };
        /** @description Names and addresses of owners are read by `findUsers`, which needs a scope of its own. */
        Project: {
            id: components["schemas"]["ProjectId"];
            ownerId: components["schemas"]["UserId"];
            /** @example Online shop for a bakery */
            title: string;
            /** @example Twelve products and pick-up at the shop. */
            description: string;
            category: components["schemas"]["ProjectCategoryType"];
            status: components["schemas"]["ProjectStatus"];
            contractingStage: components["schemas"]["ContractingStageOrNone"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @example null
             */
            deletedAt: string | null;
        };
        ProjectPage: {
            data: components["schemas"]["Project"][];
            nextCursor?: components["schemas"]["NextCursor"];
        };
        /** @description For an optional field, null is the same as absence. The status is `DRAFT` by default. */
        NewProject: {
            /**
             * Format: uuid
             * @description The user id of a customer.
             * @example 5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11
             */
            ownerId: string;
            title: string;
            description: string;
            category: components["schemas"]["ProjectCategoryType"];
            status?: components["schemas"]["OptionalStatus"];
            contractingStage?: components["schemas"]["OptionalStage"];
        };
        /** @description Null is the same as absence; `{}` changes nothing. */
        ProjectChange: {
            title?: string | null;
            description?: string | null;
            category?: components["schemas"]["OptionalCategory"];
            status?: components["schemas"]["OptionalStatus"];
            contractingStage?: components["schemas"]["OptionalStage"];
        };
        /**
         * @description The meanings are those of `ProjectStatus`.
         * @example PUBLISHED
         * @enum {string|null}
         */
        OptionalStatus: "DRAFT" | "MODERATION" | "PUBLISHED" | "TEAM_SELECTION" | "CONTRACTING" | "IN_PROGRESS" | "ON_REVIEW" | "DISPUTED" | "COMPLETED" | "CANCELLED" | null;
        /**
         * @description The meanings are those of `ContractingStage`.
         * @example null
         * @enum {string|null}
         */
        OptionalStage: "NEGOTIATION" | "DRAFTING" | "CUSTOMER_SIGNING" | "EXECUTOR_SIGNING" | "SIGNED" | null;
        /** @enum {string|null} */
        OptionalCategory: "WEB" | "MOBILE" | "DESIGN" | "MARKETING" | "DATA" | "DEVOPS" | "CONSULTING" | "OTHER" | null;
        MemberOfTeam: {
            employeeId: components["schemas"]["ProfileId"];
            userId: components["schemas"]["UserId"];
            role: components["schemas"]["MemberRole"];
            canSign: components["schemas"]["CanSign"];
            canSubmit: components["schemas"]["CanSubmit"];
            status: components["schemas"]["MemberStatus"];
            removedAt: components["schemas"]["RemovedAt"];
        };
        TeamWithMembers: {
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
            members: components["schemas"]["MemberOfTeam"][];
        };
        TeamPage: {
            data: components["schemas"]["TeamWithMembers"][];
            nextCursor?: components["schemas"]["NextCursor"];
        };
        /** @description For an optional field, null is the same as absence. */
        NewTeam: {
            name: string;
            /**
             * Format: uuid
             * @description The id of an employee's profile.
             * @example c2a7d9f4-58b1-4e06-8f3a-90b6e1d4c725
             */
            administratorId: string;
            /**
             * @description Unique.
             * @example north-studio
             */
            slug?: string | null;
            bio?: string | null;
            externalExperience?: string | null;
        };
        /** @description Null clears `bio` and `externalExperience`, and is the same as absence for `name`; `{}` changes nothing. */
        TeamChange: {
            name?: string | null;
            bio?: string | null;
            externalExperience?: string | null;
        };
        MemberState: {
            role: components["schemas"]["MemberRole"];
            /**
             * @description `INVITED`: asked to join; has no say in the team yet. `ACTIVE`: belongs to the team.
             * @enum {string}
             */
            status: "INVITED" | "ACTIVE";
            canSign: components["schemas"]["CanSign"];
            canSubmit: components["schemas"]["CanSubmit"];
        };
        /** @description Plain text; the platform adds the frame and a footer that names the service. */
        NewMail: {
            /**
             * Format: uuid
             * @example 5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11
             */
            userId: string;
            /** @example A team has made a bid */
            subject: string;
            /**
             * @description An empty line begins a paragraph.
             * @example Studio North has made a bid.
             */
            text: string;
            action?: components["schemas"]["MailAction"];
        };
        /**
         * @description A link below the text. Null is the same as absence.
         * @example {
         *       "label": "See the bid",
         *       "url": "https://shop.example.com/projects/74d3b8c6"
         *     }
         */
        MailAction: {
            /** @example See the bid */
            label: string;
            /**
             * @description Of the origin of `PUBLIC_URL` or of one of `ACCOUNT_RETURN_ORIGINS`, without user information (rule `link-origin`). On the
             *     first, not below `/api/` or `/console/`, and below `/account/` without fragment and `returnTo`. In development, any port of `localhost`, `127.0.0.1` and `[::1]` is allowed, too.
             * @example https://shop.example.com/projects/74d3b8c6
             */
            url: string;
        } | null;
        MailOfService: {
            id: components["schemas"]["Uuid"];
            /**
             * @description - `waiting`: it is sent as soon as possible
             *     - `sent`: the mail server has accepted it
             *     - `failed`: the mail server has rejected it, the address is no longer verified, or an ADMIN has deleted the mail
             * @enum {string}
             */
            state: "waiting" | "sent" | "failed";
            createdAt: components["schemas"]["Timestamp"];
        };
        /**
         * @description A later release may add types.
         * @example user.created
         */
        EventType: "user.created" | "user.email-verified" | "user.email-changed" | "user.profile-changed" | "user.password-changed" | "user.blocked" | "user.unblocked" | "user.role-assigned" | "user.role-removed" | "user.deleted" | "project.created" | "project.edited" | "project.status-changed" | "project.deleted" | "project.restored" | "team.created" | "team.edited" | "team.verified" | "team.member-added" | "team.member-changed" | "team.member-removed" | (string & {});
        /** @description A [CloudEvent](https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md). */
        Event: {
            /** @constant */
            specversion: "1.0";
            id: components["schemas"]["Uuid"];
            /**
             * @description The `PUBLIC_URL` of the platform, else `/marketplace`.
             * @example /marketplace
             */
            source: string;
            type: components["schemas"]["EventType"];
            time: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id of the user, project or team.
             * @example 5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11
             */
            subject: string;
            /**
             * @description Who caused it: `user:<id>`, the account itself or the ADMIN who acted; `service:<name>`; or `platform` for commands, imports, the
             *     first administrator, and events that were recorded without it. The id may be that of a deleted user. A later release may add
             *     others.
             * @example user:5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11
             */
            causedby: string;
            /**
             * @description Never an address, a name or a secret. `kind` in `user.created` and `user.profile-changed`; `isEmailVerified` in `user.created`;
             *     `role`, a platform role, in `user.role-assigned` and `user.role-removed`; `fields`, the names of the changed fields, in
             *     `user.profile-changed`, `project.edited` and `team.edited`; `ownerId` in `project.created`; `status` and `contractingStage` in
             *     `project.created` and `project.status-changed`; `employeeId` and `userId` in `team.created` (of its first administrator) and in
             *     those of members.
             * @example {}
             */
            data: {
                [key: string]: unknown;
            };
        };
        EventPage: {
            data: components["schemas"]["Event"][];
            /**
             * Format: uuid
             * @description The `after` of the next request.
             * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
             */
            next: string;
        };
        /** @description Stable; clients should use it instead of the message. A later release may add codes. [All codes](/internal/v1/errors.html). */
        ErrorCode: "VALIDATION_FAILED" | "SERVICE_UNKNOWN" | "SCOPE_MISSING" | "EMAIL_NOT_VERIFIED" | "ROUTE_NOT_FOUND" | "PROJECT_NOT_FOUND" | "USER_NOT_FOUND" | "TEAM_NOT_FOUND" | "EMPLOYEE_NOT_FOUND" | "MEMBER_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "PROJECT_EXISTS" | "TEAM_EXISTS" | "MAIL_EXISTS" | "ID_TAKEN" | "SLUG_TAKEN" | "LAST_TEAM_ADMINISTRATOR" | "EVENTS_EXPIRED" | "CHANGED_MEANWHILE" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE" | (string & {});
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
         * @description Only the back office changes it.
         *     - `ONBOARDING`: new; an ADMIN has not verified the team yet
         *     - `ACTIVE`: verified
         *     - `SUSPENDED`: must not work for the time being
         *     - `ARCHIVED`: does not exist any more, and is kept for the record
         * @enum {string}
         */
        TeamStatus: "ONBOARDING" | "ACTIVE" | "SUSPENDED" | "ARCHIVED";
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
        /** @description The keyword of JSON Schema, or a rule of the platform. A later release may add rules. [All rules](/api/errors.html#rules). */
        ErrorRule: "required" | "type" | "enum" | "format" | "pattern" | "minLength" | "maxLength" | "minimum" | "maximum" | "maxItems" | "const" | "alone" | "recent" | "additionalProperties" | "max-bytes" | "blank" | "control-character" | "not-null" | "unstorable" | "too-deep" | "not-finite" | "common-password" | "password-is-email" | "breached-password" | "same-password" | "credential-id" | "credential-key" | "one-factor" | "email-unchanged" | "redirect-uri" | "logout-token" | "contracting-stage" | "link-origin" | "cursor" | (string & {});
        /**
         * Format: uuid
         * @description The id of the user, the same as a customer and as an employee.
         * @example 5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11
         */
        UserId: string;
        /**
         * @description - `CUSTOMER`: has projects
         *     - `EMPLOYEE`: belongs to teams, which do the work
         *     - `ADMIN`, `OPERATOR`, `ARBITER`: the platform roles, which open the back office
         * @enum {string}
         */
        RoleType: "CUSTOMER" | "EMPLOYEE" | "ADMIN" | "OPERATOR" | "ARBITER";
        /**
         * @description - `ADMIN`: manages users, projects, teams and contact forms in the back office
         *     - `OPERATOR`, `ARBITER`: sign in to the back office, where each has a workspace of its own
         * @enum {string}
         */
        PlatformRole: "ADMIN" | "OPERATOR" | "ARBITER";
        /**
         * Format: uuid
         * @description The id of the profile.
         * @example c2a7d9f4-58b1-4e06-8f3a-90b6e1d4c725
         */
        ProfileId: string;
        /**
         * @description The language of the mails to the user. A later release may add languages.
         * @example en
         */
        MailLanguage: "en" | "de" | (string & {});
        UserProfiles: {
            customer: components["schemas"]["ProfileOrNone"];
            employee: components["schemas"]["ProfileOrNone"];
        };
        /** @description Null if the user is not of this kind. */
        ProfileOrNone: components["schemas"]["Profile"] | null;
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
         * Format: date-time
         * @description ISO 8601, UTC.
         * @example 2026-11-20T09:30:00.000Z
         */
        Timestamp: string;
        /**
         * Format: uuid
         * @example 74d3b8c6-e915-4f2a-a08b-5c7e9d1f3a60
         */
        ProjectId: string;
        /** @enum {string} */
        ProjectCategoryType: "WEB" | "MOBILE" | "DESIGN" | "MARKETING" | "DATA" | "DEVOPS" | "CONSULTING" | "OTHER";
        /**
         * @description Set if and only if the status is CONTRACTING.
         * @example null
         */
        ContractingStageOrNone: components["schemas"]["ContractingStage"] | null;
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
         * @description - `ADMINISTRATOR`: manages the team and its members. The platform keeps at least one active one; all else, services must check.
         *     - `MEMBER`: any other member
         * @enum {string}
         */
        MemberRole: "ADMINISTRATOR" | "MEMBER";
        /** @description May sign contracts in the name of the team. Stored by the platform; services must check it. */
        CanSign: boolean;
        /** @description May submit bids and work in the name of the team. Stored by the platform; services must check it. */
        CanSubmit: boolean;
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
        /**
         * Format: uuid
         * @example a96b0e5d-1c84-47f3-9e2d-3f8a7b6c5d04
         */
        TeamId: string;
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
        /**
         * Format: uuid
         * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
         */
        Uuid: string;
    };
    responses: {
        /** @description `VALIDATION_FAILED`: the request is invalid; `details` lists the fields. */
        InvalidRequest: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
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
                 *           "path": "/query/id",
                 *           "message": "must NOT have more than 100 items",
                 *           "rule": "maxItems",
                 *           "params": {
                 *             "limit": 100
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `SERVICE_UNKNOWN`: the name or the secret of the service is missing or wrong. */
        UnknownService: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
                /** @description The authentication scheme. */
                "WWW-Authenticate": "Basic";
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 401,
                 *       "error": "Unauthorized",
                 *       "code": "SERVICE_UNKNOWN",
                 *       "message": "The name or the secret of the service is missing or wrong",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `SCOPE_MISSING`: `SERVICE_<NAME>_SCOPES` lacks the scope of the operation. */
        ScopeMissing: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "error": "Forbidden",
                 *       "code": "SCOPE_MISSING",
                 *       "message": "The service does not have the scope projects:write",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `CHANGED_MEANWHILE`: it is not the version of `If-Match` any more; nothing was changed. */
        ChangedMeanwhile: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
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
        /**
         * @description `UNSUPPORTED_MEDIA_TYPE`: the body does not have the documented media type, is not in UTF-8, or has a `Content-Encoding` other
         *     than `gzip`, `deflate` and `br`.
         */
        UnsupportedMediaType: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
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
         * @description `RATE_LIMITED`:
         *     - with the correct secret: the service has 32 requests in flight at this instance, or 32 readers of events that wait
         *     - with a wrong one: more than 60 wrong ones for this service came from the network within a minute
         */
        TooManyServiceRequests: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 429,
                 *       "error": "Too Many Requests",
                 *       "code": "RATE_LIMITED",
                 *       "message": "Too many requests at the same time; retry later.",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: a component is overloaded or unavailable. */
        Unavailable: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
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
        /**
         * @description Errors of any operation:
         *     - 404 `ROUTE_NOT_FOUND` (a trailing slash makes a different path), 405 `METHOD_NOT_ALLOWED` (with `Allow`)
         *     - 408 `REQUEST_TIMEOUT`, 413 `BODY_TOO_LARGE`, 431 `HEADERS_TOO_LARGE`
         *     - 415 `UNSUPPORTED_MEDIA_TYPE`, for a body where none is documented
         *     - 500 `INTERNAL_ERROR`
         */
        OtherInternalError: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 500,
                 *       "error": "Internal Server Error",
                 *       "code": "INTERNAL_ERROR",
                 *       "message": "Internal error",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `PROJECT_NOT_FOUND`: there is no such project. A deleted one can be read and not changed. */
        NoProject: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
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
        /** @description `USER_NOT_FOUND`: the owner is unknown, deleted or no customer. */
        NoOwner: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 404,
                 *       "error": "Not Found",
                 *       "code": "USER_NOT_FOUND",
                 *       "message": "The owner is unknown, deleted or no customer",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `PROJECT_EXISTS`: another body has created a project with the id, or no PUT has
         *     - `ID_TAKEN`: a user, profile or team has the id
         */
        ProjectExists: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 409,
                 *       "error": "Conflict",
                 *       "code": "PROJECT_EXISTS",
                 *       "message": "A project with this id exists, which this body has not created",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `TEAM_NOT_FOUND`: there is no such team. */
        NoTeam: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
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
        /** @description `EMPLOYEE_NOT_FOUND`: the employee is unknown or deleted. */
        NoEmployee: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 404,
                 *       "error": "Not Found",
                 *       "code": "EMPLOYEE_NOT_FOUND",
                 *       "message": "The employee is unknown or deleted",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `TEAM_NOT_FOUND`: there is no such team
         *     - `EMPLOYEE_NOT_FOUND`: the employee is unknown or deleted
         */
        NoTeamOrEmployee: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `TEAM_NOT_FOUND`: there is no such team
         *     - `MEMBER_NOT_FOUND`: the employee is not a member, or was removed; after a repeated request, the first one has succeeded
         */
        NoTeamOrMember: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `TEAM_EXISTS`: another body has created a team with the id, or no PUT has
         *     - `ID_TAKEN`: a user, profile or project has the id
         *     - `SLUG_TAKEN`: another team has the slug
         */
        TeamExists: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 409,
                 *       "error": "Conflict",
                 *       "code": "SLUG_TAKEN",
                 *       "message": "Another team has this slug",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `LAST_TEAM_ADMINISTRATOR`: the team would be left without an active administrator. Name another one first. */
        LastTeamAdministrator: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 409,
                 *       "error": "Conflict",
                 *       "code": "LAST_TEAM_ADMINISTRATOR",
                 *       "message": "The last administrator cannot leave the team",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description - `SCOPE_MISSING`: `SERVICE_<NAME>_SCOPES` lacks the scope of the operation
         *     - `EMAIL_NOT_VERIFIED`: the address of the user is not verified, so it may be another person's
         */
        MailForbidden: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "error": "Forbidden",
                 *       "code": "EMAIL_NOT_VERIFIED",
                 *       "message": "The address of the user is not verified",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `USER_NOT_FOUND`: the user is unknown or deleted. */
        NoRecipient: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
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
        /** @description `MAIL_EXISTS`: another body of the service has created a mail with the id. */
        MailExists: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 409,
                 *       "error": "Conflict",
                 *       "code": "MAIL_EXISTS",
                 *       "message": "A mail with this id exists, which another body has created",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description `RATE_LIMITED`:
         *     - the service has created twenty mails to the user within an hour, whatever `RATE_LIMIT_SCALE` says
         *     - the service has 32 requests in flight at this instance
         *     - with a wrong secret: more than 60 wrong ones for this service came from the network within a minute
         */
        TooManyMails: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 429,
                 *       "error": "Too Many Requests",
                 *       "code": "RATE_LIMITED",
                 *       "message": "Too many mails to this user; retry later.",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `EVENTS_EXPIRED`: the database does not know `after`, because it is too old or from before a restore. */
        EventsExpired: {
            headers: {
                /** @description Never cached. */
                "Cache-Control": "no-store";
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 410,
                 *       "error": "Gone",
                 *       "code": "EVENTS_EXPIRED",
                 *       "message": "The events after this one are no longer known; start again without `after`",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: {
        /**
         * @description The `nextCursor` of an earlier page of the same list, with any filter; without it, the first page. It does not expire.
         * @example NzRkM2I4YzYtZTkxNS00ZjJhLWEwOGItNWM3ZTlkMWYzYTYw
         */
        Cursor: string;
        /**
         * @description The most records to return, by default 100.
         * @example 100
         */
        Limit: number;
        /**
         * @description The id of the project, a UUID in either case.
         * @example 74d3b8c6-e915-4f2a-a08b-5c7e9d1f3a60
         */
        ProjectPath: string;
        /**
         * @description The id of the project, a UUID in either case, but not the nil or the max UUID.
         * @example 74d3b8c6-e915-4f2a-a08b-5c7e9d1f3a60
         */
        NewProjectPath: string;
        /**
         * @description The id of the team, a UUID in either case.
         * @example a96b0e5d-1c84-47f3-9e2d-3f8a7b6c5d04
         */
        TeamPath: string;
        /**
         * @description The id of the team, a UUID in either case, but not the nil or the max UUID.
         * @example a96b0e5d-1c84-47f3-9e2d-3f8a7b6c5d04
         */
        NewTeamPath: string;
        /**
         * @description The id of the employee's profile.
         * @example c2a7d9f4-58b1-4e06-8f3a-90b6e1d4c725
         */
        EmployeePath: string;
        /**
         * @description The `ETag` of the version to change, a list of them, or `*` for any version; without it, any version. What is no entity tag (RFC
         *     9110, 8.8.3), such as one without quotes, is `VALIDATION_FAILED`. Weak tags never match.
         * @example "81345"
         */
        IfMatch: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The version of the team and its members. Every change of one of them has another one.
         * @example "81345-0b1d7a9e5c1f4c6f8e2a3b4c5d6e7f80"
         */
        TeamEntityTag: string;
        /**
         * @description Identifies the request in all logs. Taken from the request if it is 1 to 128 characters of `[A-Za-z0-9._-]`, else generated.
         * @example 0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d
         */
        XRequestId: string;
        /**
         * @description The version. Every change, deletion and restoration has another one.
         * @example "81345"
         */
        EntityTag: string;
        /**
         * @description Seconds to wait before the next attempt; with 429, 503 and a 502 of the gateway.
         * @example 2
         */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    introspectToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["Introspection"];
            };
        };
        responses: {
            /** @description Whether the token is active, and then its user and session. */
            200: {
                headers: {
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntrospectionResult"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            403: components["responses"]["ScopeMissing"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyServiceRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["OtherInternalError"];
        };
    };
    findUsers: {
        parameters: {
            query?: {
                /**
                 * @description The ids of the users: `?id=…&id=…`.
                 * @example [
                 *       "5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11"
                 *     ]
                 */
                id?: string[];
                /**
                 * @description One address, instead of ids.
                 * @example ada@example.com
                 */
                email?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The users. */
            200: {
                headers: {
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsersById"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            403: components["responses"]["ScopeMissing"];
            429: components["responses"]["TooManyServiceRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["OtherInternalError"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /**
                 * @description The ids of the projects: `?id=…&id=…`. Not together with other parameters.
                 * @example [
                 *       "74d3b8c6-e915-4f2a-a08b-5c7e9d1f3a60"
                 *     ]
                 */
                id?: string[];
                /**
                 * @description The `nextCursor` of an earlier page of the same list, with any filter; without it, the first page. It does not expire.
                 * @example NzRkM2I4YzYtZTkxNS00ZjJhLWEwOGItNWM3ZTlkMWYzYTYw
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The most records to return, by default 100.
                 * @example 100
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Only projects of this user.
                 * @example 5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11
                 */
                ownerId?: string;
                /**
                 * @description Only projects with this status.
                 * @example PUBLISHED
                 */
                status?: components["schemas"]["ProjectStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The projects, and without `id` the cursor of the next page. */
            200: {
                headers: {
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            403: components["responses"]["ScopeMissing"];
            429: components["responses"]["TooManyServiceRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["OtherInternalError"];
        };
    };
    getProjectById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the project, a UUID in either case.
                 * @example 74d3b8c6-e915-4f2a-a08b-5c7e9d1f3a60
                 */
                id: components["parameters"]["ProjectPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project. */
            200: {
                headers: {
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["NoProject"];
            429: components["responses"]["TooManyServiceRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["OtherInternalError"];
        };
    };
    putProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the project, a UUID in either case, but not the nil or the max UUID.
                 * @example 74d3b8c6-e915-4f2a-a08b-5c7e9d1f3a60
                 */
                id: components["parameters"]["NewProjectPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewProject"];
            };
        };
        responses: {
            /** @description The project, which the same body has created before. */
            200: {
                headers: {
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description The new project. */
            201: {
                headers: {
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["NoOwner"];
            409: components["responses"]["ProjectExists"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyServiceRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["OtherInternalError"];
        };
    };
    changeProject: {
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
                 * @description The id of the project, a UUID in either case.
                 * @example 74d3b8c6-e915-4f2a-a08b-5c7e9d1f3a60
                 */
                id: components["parameters"]["ProjectPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectChange"];
            };
        };
        responses: {
            /** @description The project afterwards. */
            200: {
                headers: {
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["NoProject"];
            412: components["responses"]["ChangedMeanwhile"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyServiceRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["OtherInternalError"];
        };
    };
    listTeams: {
        parameters: {
            query?: {
                /**
                 * @description The ids of the teams: `?id=…&id=…`. Not together with other parameters.
                 * @example [
                 *       "a96b0e5d-1c84-47f3-9e2d-3f8a7b6c5d04"
                 *     ]
                 */
                id?: string[];
                /**
                 * @description The `nextCursor` of an earlier page of the same list, with any filter; without it, the first page. It does not expire.
                 * @example NzRkM2I4YzYtZTkxNS00ZjJhLWEwOGItNWM3ZTlkMWYzYTYw
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The most records to return, by default 100.
                 * @example 100
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Only teams of which this employee is a member, who is not removed.
                 * @example c2a7d9f4-58b1-4e06-8f3a-90b6e1d4c725
                 */
                employeeId?: string;
                /**
                 * @description Only teams with this status.
                 * @example ACTIVE
                 */
                status?: components["schemas"]["TeamStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The teams, and without `id` the cursor of the next page. */
            200: {
                headers: {
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            403: components["responses"]["ScopeMissing"];
            429: components["responses"]["TooManyServiceRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["OtherInternalError"];
        };
    };
    getTeamById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the team, a UUID in either case.
                 * @example a96b0e5d-1c84-47f3-9e2d-3f8a7b6c5d04
                 */
                id: components["parameters"]["TeamPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The team. */
            200: {
                headers: {
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["TeamEntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamWithMembers"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["NoTeam"];
            429: components["responses"]["TooManyServiceRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["OtherInternalError"];
        };
    };
    putTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the team, a UUID in either case, but not the nil or the max UUID.
                 * @example a96b0e5d-1c84-47f3-9e2d-3f8a7b6c5d04
                 */
                id: components["parameters"]["NewTeamPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTeam"];
            };
        };
        responses: {
            /** @description The team, which the same body has created before. */
            200: {
                headers: {
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["TeamEntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamWithMembers"];
                };
            };
            /** @description The new team. */
            201: {
                headers: {
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["TeamEntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamWithMembers"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["NoEmployee"];
            409: components["responses"]["TeamExists"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyServiceRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["OtherInternalError"];
        };
    };
    changeTeam: {
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
                 * @description The id of the team, a UUID in either case.
                 * @example a96b0e5d-1c84-47f3-9e2d-3f8a7b6c5d04
                 */
                id: components["parameters"]["TeamPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamChange"];
            };
        };
        responses: {
            /** @description The team afterwards. */
            200: {
                headers: {
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["TeamEntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamWithMembers"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["NoTeam"];
            412: components["responses"]["ChangedMeanwhile"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyServiceRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["OtherInternalError"];
        };
    };
    putTeamMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the team, a UUID in either case.
                 * @example a96b0e5d-1c84-47f3-9e2d-3f8a7b6c5d04
                 */
                id: components["parameters"]["TeamPath"];
                /**
                 * @description The id of the employee's profile.
                 * @example c2a7d9f4-58b1-4e06-8f3a-90b6e1d4c725
                 */
                employeeId: components["parameters"]["EmployeePath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberState"];
            };
        };
        responses: {
            /** @description The member. */
            200: {
                headers: {
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberOfTeam"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["NoTeamOrEmployee"];
            409: components["responses"]["LastTeamAdministrator"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyServiceRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["OtherInternalError"];
        };
    };
    removeTeamMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the team, a UUID in either case.
                 * @example a96b0e5d-1c84-47f3-9e2d-3f8a7b6c5d04
                 */
                id: components["parameters"]["TeamPath"];
                /**
                 * @description The id of the employee's profile.
                 * @example c2a7d9f4-58b1-4e06-8f3a-90b6e1d4c725
                 */
                employeeId: components["parameters"]["EmployeePath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["NoTeamOrMember"];
            409: components["responses"]["LastTeamAdministrator"];
            429: components["responses"]["TooManyServiceRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["OtherInternalError"];
        };
    };
    putMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the mail, a UUID in either case, but not the nil or the max UUID.
                 * @example 3f0e6b1a-7a52-4c1f-8d59-64b0c5a2e917
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMail"];
            };
        };
        responses: {
            /** @description The mail, new or as it is now. */
            202: {
                headers: {
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailOfService"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            403: components["responses"]["MailForbidden"];
            404: components["responses"]["NoRecipient"];
            409: components["responses"]["MailExists"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyMails"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["OtherInternalError"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description The `next` of an earlier response; without it, from the oldest event kept.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                after?: string;
                /**
                 * @description The most events to return.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description The seconds to wait for an event, of the wanted types, while there is none.
                 * @example 25
                 */
                wait?: number;
                /**
                 * @description Only events of these types: `?type=…&type=…`. `next` moves past the others, so a reader has missed none of the types that it
                 *     asks for. A type that does not exist finds nothing. Among very many others, a page without `wait` may be empty although there is
                 *     such an event: read on from `next`.
                 * @example [
                 *       "user.deleted"
                 *     ]
                 */
                type?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events after `after`; none if there is none after `wait` seconds. */
            200: {
                headers: {
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            403: components["responses"]["ScopeMissing"];
            410: components["responses"]["EventsExpired"];
            429: components["responses"]["TooManyServiceRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["OtherInternalError"];
        };
    };
}

/**
 * The operations by the names of their handlers, with the security schemes that admit a caller and the kinds of account; `never`
 * where an operation has none.
 */
export interface handledOperations {
    introspectToken: {
        operation: operations['introspectToken'];
        security: 'service';
        kind: never;
    };
    findUsers: {
        operation: operations['findUsers'];
        security: 'service';
        kind: never;
    };
    listProjects: {
        operation: operations['listProjects'];
        security: 'service';
        kind: never;
    };
    getProjectById: {
        operation: operations['getProjectById'];
        security: 'service';
        kind: never;
    };
    putProject: {
        operation: operations['putProject'];
        security: 'service';
        kind: never;
    };
    changeProject: {
        operation: operations['changeProject'];
        security: 'service';
        kind: never;
    };
    listTeams: {
        operation: operations['listTeams'];
        security: 'service';
        kind: never;
    };
    getTeamById: {
        operation: operations['getTeamById'];
        security: 'service';
        kind: never;
    };
    putTeam: {
        operation: operations['putTeam'];
        security: 'service';
        kind: never;
    };
    changeTeam: {
        operation: operations['changeTeam'];
        security: 'service';
        kind: never;
    };
    putTeamMember: {
        operation: operations['putTeamMember'];
        security: 'service';
        kind: never;
    };
    removeTeamMember: {
        operation: operations['removeTeamMember'];
        security: 'service';
        kind: never;
    };
    putMail: {
        operation: operations['putMail'];
        security: 'service';
        kind: never;
    };
    listEvents: {
        operation: operations['listEvents'];
        security: 'service';
        kind: never;
    };
}
