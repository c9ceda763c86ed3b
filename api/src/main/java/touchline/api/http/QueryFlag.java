package touchline.api.http;

/** Query parameters that are true or false. Stateless. */
final class QueryFlag {
    private QueryFlag() {}

    /** False where it is absent. */
    static boolean of(ApiRequest request, String name) {
        return switch (request.query(name).orElse("false")) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw ApiException.badInput(
                            ErrorCode.INVALID_PARAMETER,
                            name,
                            "unknown value (expected: true or false)");
        };
    }
}
