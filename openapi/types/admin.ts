// Generated from admin.yaml by `npm run generate`: change the contract, not this file.

export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Say hello */
        get: operations["hello"];
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
        Hello: {
            /** @constant */
            message: "Hello API";
        };
        /**
         * @description Stable; decide by it, not by the message.
         * @enum {string}
         */
        ErrorCode: "VALIDATION_FAILED" | "CODE_INVALID" | "USER_ALREADY_BLOCKED" | "USER_NOT_BLOCKED" | "CURRENT_PASSWORD_WRONG" | "TOKEN_INVALID" | "USER_BLOCKED" | "INVALID_CREDENTIALS" | "REFRESH_TOKEN_SUPERSEDED" | "REFRESH_TOKEN_REUSED" | "SESSION_NOT_FOUND" | "WORKSPACE_FORBIDDEN" | "PLATFORM_ROLE_INVALID" | "DOMAIN_NOT_ALLOWED" | "USER_IS_ADMIN" | "REGISTRATION_CLOSED" | "ROUTE_NOT_FOUND" | "USER_NOT_FOUND" | "PROJECT_NOT_FOUND" | "TEAM_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "EMAIL_TAKEN" | "EMAIL_ALREADY_VERIFIED" | "TEAM_NOT_ONBOARDING" | "LAST_TEAM_ADMINISTRATOR" | "PLATFORM_ROLE_TAKEN" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "RESEND_LOCKED" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "UPSTREAM_UNAVAILABLE" | "SERVICE_UNAVAILABLE" | "UPSTREAM_TIMEOUT";
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
    };
    responses: {
        /**
         * @description What any operation may answer:
         *     - 404 `ROUTE_NOT_FOUND`, 405 `METHOD_NOT_ALLOWED` (with `Allow`)
         *     - 408 `REQUEST_TIMEOUT`, 413 `BODY_TOO_LARGE` (over 102,400 bytes), 415 `UNSUPPORTED_MEDIA_TYPE`, 431 `HEADERS_TOO_LARGE`
         *     - 429 `RATE_LIMITED` (with `Retry-After`)
         *     - 500 `INTERNAL_ERROR`
         *     - 502 `UPSTREAM_UNAVAILABLE`, 503 `SERVICE_UNAVAILABLE` (with `Retry-After`), 504 `UPSTREAM_TIMEOUT`
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
                 *       "message": "The database cannot serve right now",
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
    };
    parameters: never;
    requestBodies: never;
    headers: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hello"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            default: components["responses"]["OtherError"];
        };
    };
}

/** The security schemes that admit a caller to each operation; `never` where nobody is asked who they are. */
export interface operationSecurity {
    hello: never;
}
