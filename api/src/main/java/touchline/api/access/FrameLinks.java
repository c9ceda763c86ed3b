package touchline.api.access;

import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import touchline.api.domain.FrameName;

/** Links to evidence frames: absolute, below the public playback address, for 24 h. Any thread. */
public final class FrameLinks {
    private static final Duration GOOD_FOR = Duration.ofHours(24);

    private final SignedUrls signatures;
    private final String base;
    private final InstantSource clock;

    /**
     * @param playbackUrl where clients reach the playback port, from outside
     */
    public FrameLinks(SignedUrls signatures, URI playbackUrl, InstantSource clock) {
        this.signatures = signatures;
        String text = playbackUrl.toString();
        this.base = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        this.clock = clock;
    }

    /** A link that is good from now on for a day. */
    public String to(FrameName frame) {
        return base + signatures.sign(path(frame), clock.instant().plus(GOOD_FOR));
    }

    /**
     * Whether a link that was presented is good now.
     *
     * @param expiry the parameter exp
     * @param signature the parameter sig
     */
    public SignedUrls.Check check(FrameName frame, String expiry, String signature) {
        return signatures.verify(path(frame), expiry, signature);
    }

    /** As the playback server is asked for it, whatever stands before it outside. */
    private static String path(FrameName frame) {
        return "/frames/" + frame.value() + ".jpg";
    }
}
