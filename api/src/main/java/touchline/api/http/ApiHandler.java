package touchline.api.http;

/** One operation of the interface. Called on the request's virtual thread; blocking is fine. */
@FunctionalInterface
interface ApiHandler {
    /**
     * @throws ApiException for every documented failure
     */
    ApiReply handle(ApiRequest request);
}
