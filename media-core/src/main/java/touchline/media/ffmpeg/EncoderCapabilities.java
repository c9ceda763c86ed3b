package touchline.media.ffmpeg;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which encoders this host can open, found by opening each. Immutable, any thread.
 *
 * @param refusals why an H.264 encoder cannot be used; usable ones are absent
 * @param aacRefusal why AAC cannot be encoded; empty where it can
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

    /** What {@code auto} means on this host. */
    public Optional<H264Encoder> best() {
        return usable().stream().findFirst();
    }

    public boolean aac() {
        return aacRefusal.isEmpty();
    }
}
