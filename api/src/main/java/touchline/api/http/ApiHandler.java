package touchline.api.http;

/** One operation of the interface. Called on the request's virtual thread; blocking is fine. */
@FunctionalInterface
interface ApiHandler {
    /**
     * @throws ApiException for every documented failure
     */
    ApiReply handle(ApiRequest request);

    /**
     * An operation that creates something, in two steps. The first reads the request, looks up
     * names and reaches other hosts. The second stores, and may run in a transaction.
     */
    @FunctionalInterface
    interface Creating {
        /**
         * Checks the request and returns the second step.
         *
         * @throws ApiException for every documented failure
         */
        Creation prepare(ApiRequest request);
    }

    /** The second step of a {@link Creating}. It reaches nothing but the database. */
    @FunctionalInterface
    interface Creation {
        /**
         * @throws ApiException for every documented failure
         */
        ApiReply store();
    }
}
