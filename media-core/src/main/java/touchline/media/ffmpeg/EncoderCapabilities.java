package touchline.media.ffmpeg;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The encoders of this host, detected by opening each one. Immutable, any thread.
 *
 * @param refusals reason for each unusable H.264 encoder; usable ones are absent
 * @param aacRefusal reason why AAC cannot be encoded; empty if it can
 */
public record EncoderCapabilities(Map<H264Encoder, String> refusals, String aacRefusal) {
    public EncoderCapabilities {
        refusals = Map.copyOf(refusals);
    }

    /** Usable H.264 encoders, best first. */
    public List<H264Encoder> usable() {
        return Arrays.stream(H264Encoder.values()).filter(this::canUse).toList();
    }

    public boolean canUse(H264Encoder encoder) {
        return !refusals.containsKey(encoder);
    }

    /** Returns the encoder that {@code auto} selects on this host. */
    public Optional<H264Encoder> best() {
        return usable().stream().findFirst();
    }

    public boolean aac() {
        return aacRefusal.isEmpty();
    }
}
