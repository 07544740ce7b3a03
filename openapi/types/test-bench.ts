// Generated from test-bench.yaml by `npm run generate`: change the contract, not this file.

export interface paths {
    "/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a person
         * @description An account as if somebody had made it by hand: the platform has the same rows, audit records, events and mails. The address is of a
         *     reserved domain. A word of `is` or `with` that does not fit the kind is 400.
         */
        post: operations["createPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{id}/age": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let time pass for one person
         * @description For this account alone it is later: what was due meanwhile is over (codes, locks, challenges, proofs, pauses, waits, tokens, sessions,
         *     invitations, counts of an hour or a day), and every response of the platform is what it would be after that time, except the times
         *     inside tokens. The account's records of the log move, too, as limits count them. Time only passes forwards.
         */
        post: operations["agePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read mails, or wait for one
         * @description The mails to the people of a label, or to one address, oldest first. With `wait`, the response comes as soon as there is one. `next` is
         *     always given: sent as `after`, it finds later mails only. A mail to an address that no account has yet, such as the new one of a
         *     change of address, is found by `to` alone.
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
    "/people/{id}/mailbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Let a mailbox reject mails
         * @description The mail server responds to the next mails to the address of this person with this code and text: 4xx is temporary, so the
         *     platform tries again, 5xx is permanent. It replaces what was set before; `times: 0` ends it.
         */
        put: operations["setMailbox"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let requests of a label fail
         * @description Requests of the label through the proxy fail, if they are of the operation, or of any operation without one. Pages and
         *     their files are no operations. The first fault that fits counts. As long as a label has faults, its responses close their connections, so
         *     that no client repeats by itself a request whose response was lost.
         */
        post: operations["createFault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faults/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the fault.
                 * @example 3f0e6b1a-7a52-4c1f-8d59-64b0c5a2e917
                 */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Read which requests failed
         * @description The requests that the fault has hit, also when its number of times is used up.
         */
        get: operations["getFault"];
        put?: never;
        post?: never;
        /**
         * End a fault
         * @description Requests no longer fail because of it.
         */
        delete: operations["deleteFault"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/labels/{label}": {
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
         * Delete everything of a label
         * @description Its accounts are deleted as by their owners, and its mails, faults, mailboxes and networks are gone; nothing of any other label is
         *     touched. A label that does not exist is no error.
         */
        delete: operations["deleteLabel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/labels/{label}/network": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a fresh client network
         * @description A network from which no request has come yet. Requests use it by naming it in `X-Test-Network`; those that name none still come from
         *     the label's own one.
         */
        post: operations["addNetwork"];
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
         * @description A test, or a worker of a test run.
         * @example sign-up-7
         */
        Label: string;
        /**
         * @description An address of 198.18.0.0/15.
         * @example 198.18.0.7
         */
        Network: string;
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
        NewPerson: {
            label: components["schemas"]["Label"];
            /**
             * @description The state of the account.
             * @default verified
             * @enum {string}
             */
            is: "verified" | "unverified" | "blocked" | "paused" | "deleted" | "invited" | "provider-only" | "role-removed" | "last-team-administrator" | "restricted";
            kind?: components["schemas"]["PersonKind"];
            /**
             * @description What the account has in addition.
             * @example [
             *       "app"
             *     ]
             */
            with?: ("app" | "passkey" | "stay")[];
            /** @description The profile of a customer or an employee. */
            profile?: {
                /**
                 * @description The first name.
                 * @example Ada
                 */
                firstName?: string;
                /**
                 * @description The last name.
                 * @example Lovelace
                 */
                lastName?: string;
                /**
                 * @description The phone number.
                 * @example +44 20 7946 0000
                 */
                phone?: string;
            };
            /**
             * @description The language of the mails.
             * @enum {string}
             */
            language?: "en" | "de";
        };
        /**
         * @description A customer, an employee, or an administrator by role.
         * @default customer
         * @enum {string}
         */
        PersonKind: "customer" | "employee" | "ADMIN" | "OPERATOR" | "ARBITER";
        Person: {
            /**
             * Format: uuid
             * @description The id of the account, or of the invitation.
             * @example 5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11
             */
            id: string;
            label: components["schemas"]["Label"];
            /**
             * @description The kind of the person.
             * @example customer
             */
            kind: string;
            /**
             * @description The address.
             * @example p-7f3a@sign-up-7.example.com
             */
            email: string;
            /**
             * @description Absent if the account has none.
             * @example correct horse battery
             */
            password?: string;
            network: components["schemas"]["Network"];
            /** @description The authenticator app. */
            app?: {
                /**
                 * @description The TOTP key in base32.
                 * @example JBSWY3DPEHPK3PXP
                 */
                secret: string;
            };
            /** @description With the first factor. */
            recoveryCodes?: string[];
            /** @description The passkey. */
            passkey?: {
                /** @description As `WebAuthn.addCredential` of a virtual authenticator takes it. */
                credential: {
                    /**
                     * @description The id in base64.
                     * @example bmV3
                     */
                    credentialId: string;
                    /**
                     * @description Whether it is found without the name of the user.
                     * @example true
                     */
                    isResidentCredential: boolean;
                    /**
                     * @description The domain.
                     * @example localhost
                     */
                    rpId: string;
                    /**
                     * @description The PKCS 8 key in base64.
                     * @example MIGH
                     */
                    privateKey: string;
                    /**
                     * @description The id of the user in base64.
                     * @example NWIw
                     */
                    userHandle: string;
                    /**
                     * @description The signature counter.
                     * @example 0
                     */
                    signCount: number;
                };
            };
            /** @description The invitation, if the person is invited. */
            invitation?: {
                /**
                 * @description The code of the mail.
                 * @example 9f2c7a
                 */
                code: string;
            };
            /** @description A session of the person, if the state allows one. */
            session?: {
                /**
                 * @description The access token.
                 * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI1YjBjIn0.c2ln
                 */
                token: string;
                /**
                 * Format: uuid
                 * @description The id of the session.
                 * @example 8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69
                 */
                sessionId: string;
                /**
                 * @description The device.
                 * @example test-bench-7f3a
                 */
                fingerprint: string;
                /**
                 * @description The refresh token.
                 * @example eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiI4ZTBmIn0.c2ln
                 */
                refreshToken: string;
            };
        };
        Age: {
            /**
             * @description A duration of ISO 8601, of 400 days at most.
             * @example PT15M1S
             */
            by: string;
        };
        Aged: {
            /** @description What was due meanwhile. */
            ended: string[];
            /** @description What lasts still. */
            now: components["schemas"]["Lasting"][];
        };
        Lasting: {
            /**
             * @description What lasts.
             * @example access-token
             */
            what: string;
            /**
             * Format: date-time
             * @description When it ends.
             * @example 2026-11-20T10:14:59.000Z
             */
            until: string;
        };
        MailPage: {
            /** @description The mails, oldest first. */
            data: components["schemas"]["ReceivedMail"][];
            /**
             * @description For `after`.
             * @example 01763979000000000-7f3a12bc
             */
            next: string;
        };
        ReceivedMail: {
            /**
             * @description Later mails have greater ids.
             * @example 01763979000000000-7f3a12bc
             */
            id: string;
            /**
             * @description The name of the mail.
             * @example verification-code
             */
            mail: string | null;
            /**
             * @description The address.
             * @example p-7f3a@sign-up-7.example.com
             */
            to: string;
            /**
             * @description The sender.
             * @example Marketplace <no-reply@example.com>
             */
            from: string;
            /**
             * @description The subject.
             * @example 123456 is your code
             */
            subject: string;
            /**
             * @description The mail as text.
             * @example 123456 is your code.
             */
            text: string;
            /**
             * @description The mail as HTML.
             * @example <p>123456 is your code.</p>
             */
            html: string;
            /**
             * @description The code of a mail with one.
             * @example 123456
             */
            code: string | null;
            /**
             * @description The address of its button or link, if it has one.
             * @example null
             */
            link: string | null;
            /**
             * Format: date-time
             * @description When it arrived.
             * @example 2026-11-20T09:30:00.000Z
             */
            at: string;
        };
        Mailbox: {
            /** @description The response of the mail server. */
            answer: {
                /**
                 * @description The SMTP code.
                 * @example 550
                 */
                code: number;
                /**
                 * @description The text behind it.
                 * @example No such mailbox
                 */
                text: string;
            };
            /**
             * @description The number of mails that are rejected.
             * @example 1
             */
            times: number;
        };
        NewFault: {
            label: components["schemas"]["Label"];
            /**
             * @description The operationId of the platform's document, `/openapi.json`. Without it, every operation fails.
             * @example customerSignIn
             */
            operation?: string;
            /**
             * @description How often it happens. Without it, until the fault is deleted.
             * @example 1
             */
            times?: number;
            /** @description What the client gets. */
            answer: components["schemas"]["FaultResponse"] | components["schemas"]["FaultLoss"];
        };
        /** @description A response instead of that of the platform, which does not get the request. */
        FaultResponse: {
            /**
             * @description The status.
             * @example 503
             */
            status: number;
            /**
             * @description The code of the error body.
             * @example SERVICE_UNAVAILABLE
             */
            code: string;
            /**
             * @description The seconds of `Retry-After`.
             * @example 1
             */
            retryAfter?: number;
        };
        /**
         * @description The connection ends without a response:
         *     - `lost-before`: the platform does not get the request
         *     - `lost-after`: the platform has completed the request
         * @enum {string}
         */
        FaultLoss: "lost-before" | "lost-after";
        CreatedFault: {
            /**
             * Format: uuid
             * @description The id of the fault.
             * @example 3f0e6b1a-7a52-4c1f-8d59-64b0c5a2e917
             */
            id: string;
        };
        FaultHits: {
            /**
             * @description The number of requests that failed.
             * @example 1
             */
            hits: number;
            /** @description Their ids, at most the last 1,000, in order. */
            requestIds: string[];
        };
        AddedNetwork: {
            network: components["schemas"]["Network"];
        };
        /** @description Stable; clients should use it instead of the message. A later release may add codes. [All codes](/errors.html). */
        ErrorCode: "VALIDATION_FAILED" | "SECRET_INVALID" | "ROUTE_NOT_FOUND" | "PERSON_NOT_FOUND" | "FAULT_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "HOST_UNKNOWN" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE" | (string & {});
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
                 *           "path": "/body/label",
                 *           "message": "must match pattern \"^[a-z0-9-]{1,40}$\"",
                 *           "rule": "pattern",
                 *           "params": {
                 *             "pattern": "^[a-z0-9-]{1,40}$"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `SECRET_INVALID`: the secret of the test bench is missing or wrong. */
        SecretInvalid: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 401,
                 *       "error": "Unauthorized",
                 *       "code": "SECRET_INVALID",
                 *       "message": "The secret of the test bench is missing or wrong; it is in stack.json",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `PERSON_NOT_FOUND`: the test bench has not made the account, and it was not made under a label. */
        PersonUnknown: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 404,
                 *       "error": "Not Found",
                 *       "code": "PERSON_NOT_FOUND",
                 *       "message": "This person belongs to no label",
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
         * @description - `ROUTE_NOT_FOUND`: no such path
         *     - `METHOD_NOT_ALLOWED`: the path has no such method
         *     - `BODY_TOO_LARGE`: the body exceeds 102,400 bytes
         *     - `HOST_UNKNOWN`: the host is neither localhost nor an address
         *     - `INTERNAL_ERROR`: the test bench failed
         *     - `SERVICE_UNAVAILABLE`: the platform, its database or its inbox is unavailable
         */
        OtherError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                Allow: components["headers"]["Allow"];
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
        /** @description `FAULT_NOT_FOUND`: there is no such fault, or it was deleted. */
        FaultUnknown: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 404,
                 *       "error": "Not Found",
                 *       "code": "FAULT_NOT_FOUND",
                 *       "message": "There is no such fault",
                 *       "requestId": "0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: {
        /**
         * @description The id of a person of the test bench.
         * @example 5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11
         */
        PersonId: string;
        /**
         * @description The label.
         * @example sign-up-7
         */
        LabelName: components["schemas"]["Label"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies the request in all logs. Taken from the request if it is 1 to 128 characters of `[A-Za-z0-9._-]`, else generated.
         * @example 0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d
         */
        XRequestId: string;
        /** @description The authentication scheme. */
        Challenge: "Bearer";
        /**
         * @description Seconds to wait before the next attempt; with 429, 503 and a 502 of the gateway.
         * @example 2
         */
        RetryAfter: number;
        /**
         * @description The methods of the path; with 405.
         * @example GET, POST
         */
        Allow: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createPerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPerson"];
            };
        };
        responses: {
            /** @description The person. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["SecretInvalid"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["OtherError"];
        };
    };
    agePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a person of the test bench.
                 * @example 5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11
                 */
                id: components["parameters"]["PersonId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "by": "PT15M1S"
                 *     }
                 */
                "application/json": components["schemas"]["Age"];
            };
        };
        responses: {
            /** @description What has ended, and what still lasts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ended": [
                     *         "verification-code"
                     *       ],
                     *       "now": [
                     *         {
                     *           "what": "access-token",
                     *           "until": "2026-11-20T10:14:59.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Aged"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["SecretInvalid"];
            404: components["responses"]["PersonUnknown"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["OtherError"];
        };
    };
    listMails: {
        parameters: {
            query?: {
                /**
                 * @description The label; either it or `to` is required.
                 * @example sign-up-7
                 */
                label?: components["schemas"]["Label"];
                /**
                 * @description An address, in any letter case.
                 * @example p-7f3a@sign-up-7.example.com
                 */
                to?: string;
                /**
                 * @description The name of the mail, which is its header `X-Mail-Template`.
                 * @example verification-code
                 */
                mail?: string;
                /**
                 * @description The `next` of an earlier response.
                 * @example 01763979000000000-7f3a12bc
                 */
                after?: string;
                /**
                 * @description The seconds to wait for a mail, by default 0.
                 * @example 10
                 */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mails; none if the time is over. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01763979000000000-7f3a12bc",
                     *           "mail": "verification-code",
                     *           "to": "p-7f3a@sign-up-7.example.com",
                     *           "from": "Marketplace <no-reply@example.com>",
                     *           "subject": "123456 is your code",
                     *           "text": "123456 is your code.",
                     *           "html": "<p>123456 is your code.</p>",
                     *           "code": "123456",
                     *           "link": null,
                     *           "at": "2026-11-20T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "next": "01763979000000000-7f3a12bc"
                     *     }
                     */
                    "application/json": components["schemas"]["MailPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["SecretInvalid"];
            default: components["responses"]["OtherError"];
        };
    };
    setMailbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a person of the test bench.
                 * @example 5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11
                 */
                id: components["parameters"]["PersonId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "answer": {
                 *         "code": 550,
                 *         "text": "No such mailbox"
                 *       },
                 *       "times": 1
                 *     }
                 */
                "application/json": components["schemas"]["Mailbox"];
            };
        };
        responses: {
            /** @description It is set. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["SecretInvalid"];
            404: components["responses"]["PersonUnknown"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["OtherError"];
        };
    };
    createFault: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewFault"];
            };
        };
        responses: {
            /** @description The fault counts from now on. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedFault"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["SecretInvalid"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["OtherError"];
        };
    };
    getFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the fault.
                 * @example 3f0e6b1a-7a52-4c1f-8d59-64b0c5a2e917
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hits. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FaultHits"];
                };
            };
            401: components["responses"]["SecretInvalid"];
            404: components["responses"]["FaultUnknown"];
            default: components["responses"]["OtherError"];
        };
    };
    deleteFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the fault.
                 * @example 3f0e6b1a-7a52-4c1f-8d59-64b0c5a2e917
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["SecretInvalid"];
            404: components["responses"]["FaultUnknown"];
            default: components["responses"]["OtherError"];
        };
    };
    deleteLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The label.
                 * @example sign-up-7
                 */
                label: components["parameters"]["LabelName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nothing of the label is left. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["SecretInvalid"];
            default: components["responses"]["OtherError"];
        };
    };
    addNetwork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The label.
                 * @example sign-up-7
                 */
                label: components["parameters"]["LabelName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The network. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedNetwork"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["SecretInvalid"];
            default: components["responses"]["OtherError"];
        };
    };
}

/**
 * The operations by the names of their handlers, with the security schemes that admit a caller and the kinds of account; `never`
 * where an operation has none.
 */
export interface handledOperations {
    createPerson: {
        operation: operations['createPerson'];
        security: 'secret';
        kind: never;
    };
    agePerson: {
        operation: operations['agePerson'];
        security: 'secret';
        kind: never;
    };
    listMails: {
        operation: operations['listMails'];
        security: 'secret';
        kind: never;
    };
    setMailbox: {
        operation: operations['setMailbox'];
        security: 'secret';
        kind: never;
    };
    createFault: {
        operation: operations['createFault'];
        security: 'secret';
        kind: never;
    };
    getFault: {
        operation: operations['getFault'];
        security: 'secret';
        kind: never;
    };
    deleteFault: {
        operation: operations['deleteFault'];
        security: 'secret';
        kind: never;
    };
    deleteLabel: {
        operation: operations['deleteLabel'];
        security: 'secret';
        kind: never;
    };
    addNetwork: {
        operation: operations['addNetwork'];
        security: 'secret';
        kind: never;
    };
}
