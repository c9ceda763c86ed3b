package touchline.packager.delivery;

/** Decision on a {@link PageRequest}. */
public sealed interface PageDecision {
    /**
     * A text made for this viewer.
     *
     * @param contentType with its charset
     * @param contentSecurityPolicy of a page; empty for data
     * @param restricted as of {@link PlaybackDecision.Live}
     */
    record Page(String contentType, String text, String contentSecurityPolicy, boolean restricted)
            implements PageDecision {}

    /** Answered with the JSON envelope. */
    record Refused(PlaybackDecision.Refused refusal) implements PageDecision {
        /** 404, 40401. */
        public static final Refused NOT_FOUND = new Refused(PlaybackDecision.Refused.NOT_FOUND);
    }
}
