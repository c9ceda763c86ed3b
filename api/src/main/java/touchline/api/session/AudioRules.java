package touchline.api.session;

import java.util.Optional;
import java.util.Set;
import touchline.config.AudioCodec;
import touchline.media.CodecConfig;

/**
 * Audio that is transcoded to AAC for viewers, and audio that is refused. Any thread.
 *
 * @param transcoded {@code packager.transcode-audio}
 */
record AudioRules(Set<AudioCodec> transcoded) {
    boolean isTranscoded(CodecConfig codec) {
        return switch (codec) {
            case CodecConfig.Mp3 _ -> transcoded.contains(AudioCodec.MP3);
            case CodecConfig.Opus _ -> transcoded.contains(AudioCodec.OPUS);
            case CodecConfig.Aac _, CodecConfig.Avc _, CodecConfig.Hevc _, CodecConfig.Av1 _ ->
                    false;
        };
    }

    /** Name and advice for a codec that would play in no browser. */
    Optional<String> refusal(CodecConfig codec) {
        return codec instanceof CodecConfig.Mp3 && !isTranscoded(codec)
                ? Optional.of("MP3 audio (set the encoder's audio codec to AAC)")
                : Optional.empty();
    }
}
