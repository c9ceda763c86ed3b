package touchline.media.hub;

/**
 * What sessions with two publishers need.
 *
 * @param alignment compares the audio of both
 * @param boundary encodes frames between the programme's end and a key frame
 */
public record FailoverDependencies(SourceAlignment.Opener alignment, BoundaryEncoder boundary) {
    /** Switches by arrival, with a run-up. */
    public static final FailoverDependencies NONE =
            new FailoverDependencies(SourceAlignment.NONE, BoundaryEncoder.NONE);
}
