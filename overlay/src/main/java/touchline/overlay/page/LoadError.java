package touchline.overlay.page;

/** Translates Chromium's load errors to messages for operators. */
final class LoadError {
    private LoadError() {}

    /**
     * @param error as {@code net::ERR_CERT_DATE_INVALID}
     */
    static String describe(String error) {
        String code = error.replaceFirst("^net::", "");
        String meaning =
                switch (code) {
                    case "ERR_SSL_CLIENT_AUTH_CERT_NEEDED", "ERR_BAD_SSL_CLIENT_AUTH_CERT" ->
                            "it asks for a client certificate";
                    case "ERR_UNSAFE_REDIRECT",
                            "ERR_UNKNOWN_URL_SCHEME",
                            "ERR_DISALLOWED_URL_SCHEME" ->
                            "it redirects to an address that is neither http nor https";
                    case "ERR_INVALID_REDIRECT" -> "it redirects to nowhere";
                    case "ERR_TOO_MANY_REDIRECTS" -> "it redirects in a circle";
                    case "ERR_ABORTED", "ERR_INVALID_RESPONSE" -> "it is not a page";
                    case "ERR_UNSAFE_PORT" -> "its port is not one of the web";
                    case "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_CLOSED", "ERR_CONNECTION_RESET" ->
                            "its server ended the connection";
                    case "ERR_TUNNEL_CONNECTION_FAILED" -> "it cannot be reached";
                    default ->
                            code.startsWith("ERR_CERT_")
                                    ? "its certificate is not trusted"
                                    : code.startsWith("ERR_SSL_")
                                            ? "its TLS failed"
                                            : "it cannot be loaded";
                };
        return "%s (%s)".formatted(meaning, code);
    }
}
