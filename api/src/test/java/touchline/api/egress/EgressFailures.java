package touchline.api.egress;

/** Failures of requests, for tests of other packages. */
public final class EgressFailures {
    private EgressFailures() {}

    public static EgressException ofStatus(int httpStatus) {
        return EgressException.ofStatus(httpStatus);
    }
}
