package touchline.media.transcode;

import java.util.List;

/**
 * Result of a transcoding. Immutable, any thread.
 *
 * @param durationUs from the first frame or audio sample to the end of the last
 * @param copied whether neither video nor audio was re-encoded
 * @param notes changes visible or audible to a viewer: tone mapping, mixed channels, …
 */
public record TranscodeResult(long durationUs, boolean copied, List<String> notes) {
    public TranscodeResult {
        notes = List.copyOf(notes);
    }
}
