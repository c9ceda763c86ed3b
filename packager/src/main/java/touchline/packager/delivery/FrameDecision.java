package touchline.packager.delivery;

import touchline.packager.edge.RemoteMedia;
import touchline.packager.hls.MediaBody;

/** Decision on a {@link FrameRequest}. */
public sealed interface FrameDecision {
    /** A JPEG file. */
    record Image(MediaBody.FileRange file) implements FrameDecision {}

    /**
     * Another node has the file.
     *
     * @param media all frames of that node
     */
    record Remote(RemoteMedia media) implements FrameDecision {}

    /** Answered with the JSON envelope. */
    record Refused(PlaybackDecision.Refused refusal) implements FrameDecision {
        /** 404, 40401. */
        public static final Refused NOT_FOUND = new Refused(PlaybackDecision.Refused.NOT_FOUND);
    }
}
