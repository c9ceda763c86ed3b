package touchline.media.signal;

import java.time.Instant;
import touchline.media.codec.DecodingRefusedException;

/** Receives what a watch finds. Any thread; must return at once. */
public interface SignalListener {
    /** A new sample, about one a second. */
    void sampled(SignalSample sample);

    void began(SignalFault fault, Instant at);

    /** The fault is over, or nothing of this kind is received any more. */
    void ended(SignalFault fault, Instant at);

    /** The server refuses to decode this video. */
    void refused(DecodingRefusedException cause);
}
