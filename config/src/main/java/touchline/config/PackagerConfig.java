package touchline.config;

import java.time.Duration;
import java.util.Set;

/**
 * {@code packager}.
 *
 * @param window length of the live window, in which every viewer can seek back
 * @param lowPart target duration of a part in latency mode low, 100 ms to 1 s
 * @param transcodeAudio audio that viewers get as AAC; without {@code MP3} such a push is refused
 */
public record PackagerConfig(Duration window, Duration lowPart, Set<AudioCodec> transcodeAudio) {
    public PackagerConfig {
        transcodeAudio = Set.copyOf(transcodeAudio);
    }
}
