package touchline.media.transcode;

import java.util.List;

/**
 * What a file became. Immutable, any thread.
 *
 * @param durationUs from the first frame or audio to the end of the last
 * @param copied whether no frame and no audio was encoded anew
 * @param notes what a viewer would notice, in plain words: tone mapping, mixed channels, …
 */
public record TranscodeResult(long durationUs, boolean copied, List<String> notes) {
    public TranscodeResult {
        notes = List.copyOf(notes);
    }
}
