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
         * Get users by their ids
         * @description In the order of the ids. Ids without a user are left out; deleted users are included, without personal data.
         */
        get: operations["listUsersById"];
        put?: never;
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
        /** @description A provider is `oidc:` and its name in `OIDC_PROVIDERS`; `mfa` is a second factor that the provider has verified. */
        SignInMethod: ("password" | "totp" | "recovery-code" | "passkey" | "mfa") | string;
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
            /**
             * @description Of the mails to the user.
             * @enum {string}
             */
            language: "en" | "de";
            profile: components["schemas"]["UserProfiles"];
            createdAt: components["schemas"]["Timestamp"];
            /** @example null */
            deletedAt: components["schemas"]["Timestamp"] | null;
        };
        UsersById: {
            data: components["schemas"]["UserById"][];
        };
        /** @enum {string} */
        EventType: "user.created" | "user.email-verified" | "user.email-changed" | "user.profile-changed" | "user.password-changed" | "user.blocked" | "user.unblocked" | "user.role-assigned" | "user.role-removed" | "user.deleted" | "project.created" | "project.edited" | "project.status-changed" | "project.deleted" | "project.restored" | "team.created" | "team.edited" | "team.verified" | "team.member-added" | "team.member-changed" | "team.member-removed";
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
        /**
         * @description Stable; clients should use it instead of the message. [All codes](/internal/v1/errors.html).
         * @enum {string}
         */
        ErrorCode: "VALIDATION_FAILED" | "SERVICE_UNKNOWN" | "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "EVENTS_EXPIRED" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE";
        /**
         * @description The keyword of JSON Schema, or a rule of the platform. [All rules](/api/errors.html#rules).
         * @enum {string}
         */
        ErrorRule: "required" | "type" | "enum" | "format" | "pattern" | "minLength" | "maxLength" | "minimum" | "maximum" | "maxItems" | "const" | "additionalProperties" | "max-bytes" | "blank" | "control-character" | "not-null" | "unstorable" | "too-deep" | "not-finite" | "common-password" | "password-is-email" | "breached-password" | "one-factor" | "email-unchanged" | "redirect-uri" | "logout-token" | "cursor";
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
         * Format: uuid
         * @example 5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11
         */
        UserId: string;
        /** @enum {string} */
        RoleType: "CUSTOMER" | "EMPLOYEE" | "ADMIN" | "OPERATOR" | "ARBITER";
        /** @enum {string} */
        PlatformRole: "ADMIN" | "OPERATOR" | "ARBITER";
        /**
         * Format: uuid
         * @description The id of the profile.
         * @example c2a7d9f4-58b1-4e06-8f3a-90b6e1d4c725
         */
        ProfileId: string;
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         * @example 2026-11-20T09:30:00.000Z
         */
        Timestamp: string;
        Profile: {
            id: components["schemas"]["ProfileId"];
            userId: components["schemas"]["UserId"];
            /** @example Ada */
            firstName: string | null;
            /** @example Lovelace */
            lastName: string | null;
            /** @example null */
            phone: string | null;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        ProfileOrNone: components["schemas"]["Profile"] | null;
        UserProfiles: {
            customer: components["schemas"]["ProfileOrNone"];
            employee: components["schemas"]["ProfileOrNone"];
        };
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
        /** @description `RATE_LIMITED`: the secret is wrong, and more than 60 wrong ones for this service came from the network within a minute. Requests with the correct secret are not limited. */
        TooManyWrongSecrets: {
            headers: {
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
                 *       "message": "Too many wrong secrets; retry later.",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: a component is overloaded or unavailable. */
        Unavailable: {
            headers: {
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
         *     - 408 `REQUEST_TIMEOUT`, 413 `BODY_TOO_LARGE`, 415 `UNSUPPORTED_MEDIA_TYPE`, 431 `HEADERS_TOO_LARGE`
         *     - 500 `INTERNAL_ERROR`
         */
        OtherInternalError: {
            headers: {
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
        /** @description `EVENTS_EXPIRED`: the database does not know `after`, because it is too old or from before a restore. */
        EventsExpired: {
            headers: {
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
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Identifies the request in all logs. Taken from the request if it is 1 to 128 characters of `[A-Za-z0-9._-]`, else generated.
         * @example 0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d
         */
        XRequestId: string;
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
                    "X-Request-Id": components["headers"]["XRequestId"];
                    /** @description Never cached. */
                    "Cache-Control": "no-store";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntrospectionResult"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            429: components["responses"]["TooManyWrongSecrets"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["OtherInternalError"];
        };
    };
    listUsersById: {
        parameters: {
            query: {
                /**
                 * @description The ids of the users: `?id=…&id=…`.
                 * @example [
                 *       "5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11"
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
            /** @description The users. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsersById"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            429: components["responses"]["TooManyWrongSecrets"];
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
                /** @description The most events to return. */
                limit?: number;
                /** @description The seconds to wait for an event while there is none. */
                wait?: number;
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
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnknownService"];
            410: components["responses"]["EventsExpired"];
            429: components["responses"]["TooManyWrongSecrets"];
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
    listUsersById: {
        operation: operations['listUsersById'];
        security: 'service';
        kind: never;
    };
    listEvents: {
        operation: operations['listEvents'];
        security: 'service';
        kind: never;
    };
}
