package touchline.media;

import java.util.List;
import touchline.media.codec.AudioSpecificConfig;
import touchline.media.codec.Av1Config;
import touchline.media.codec.AvcConfig;
import touchline.media.codec.HevcConfig;
import touchline.media.codec.HevcSps;
import touchline.media.codec.OpusConfig;
import touchline.media.codec.Sps;
import touchline.media.codec.VideoSequence;

/** Decoder configuration of a track, needed before its first access unit. Immutable, any thread. */
public sealed interface CodecConfig {

    /**
     * The {@code codecs} parameter of RFC 6381 for this configuration, e.g. {@code avc1.64001f}.
     */
    String rfc6381();

    /** Whether this is video, not audio. */
    default boolean isVideo() {
        return switch (this) {
            case Avc _, Hevc _, Av1 _ -> true;
            case Aac _, Opus _, Mp3 _ -> false;
        };
    }

    /**
     * Channels of this audio, as its configuration names them.
     *
     * @throws IllegalArgumentException for video
     */
    default int audioChannels() {
        return switch (this) {
            case Aac(var config) -> config.channels();
            case Opus(var config) -> config.channels();
            case Mp3(_, int channels) -> channels;
            case Avc _, Hevc _, Av1 _ ->
                    throw new IllegalArgumentException("not audio: " + rfc6381());
        };
    }

    /**
     * What a decoder of this video allocates memory for; empty for audio.
     *
     * @throws touchline.media.codec.MalformedMediaException a sequence header is invalid or too
     *     large
     */
    default List<VideoSequence> sequences() {
        return switch (this) {
            case Avc(var config) ->
                    config.sequenceParameterSets().stream()
                            .map(unit -> Sps.parse(unit).sequence())
                            .toList();
            case Hevc(var config) ->
                    config.sequenceParameterSets().stream()
                            .map(unit -> HevcSps.parse(unit).sequence())
                            .toList();
            case Av1(var config) -> List.of(config.sequenceHeader().sequence());
            case Aac _, Opus _, Mp3 _ -> List.of();
        };
    }

    /** H.264; access units are NAL units, each behind a length of {@code config} size. */
    record Avc(AvcConfig config) implements CodecConfig {
        @Override
        public String rfc6381() {
            return config.rfc6381();
        }
    }

    /** H.265; access units are NAL units, each behind a length of {@code config} size. */
    record Hevc(HevcConfig config) implements CodecConfig {
        @Override
        public String rfc6381() {
            return config.rfc6381();
        }
    }

    /** AV1; an access unit is a temporal unit in low overhead format without its delimiter. */
    record Av1(Av1Config config) implements CodecConfig {
        @Override
        public String rfc6381() {
            return config.rfc6381();
        }
    }

    /** MPEG-4 audio; an access unit is one raw frame without ADTS header. */
    record Aac(AudioSpecificConfig config) implements CodecConfig {
        @Override
        public String rfc6381() {
            return config.rfc6381();
        }
    }

    /** Opus; an access unit is one packet. */
    record Opus(OpusConfig config) implements CodecConfig {
        @Override
        public String rfc6381() {
            return "opus";
        }
    }

    /**
     * MPEG-1/2 layer III; an access unit is one frame with its header.
     *
     * @param sampleRateHz 8 000 to 48 000
     * @param channels 1 or 2
     */
    record Mp3(int sampleRateHz, int channels) implements CodecConfig {
        public Mp3 {
            if (sampleRateHz <= 0 || channels <= 0) {
                throw new IllegalArgumentException(
                        sampleRateHz + " Hz, " + channels + " channels (> 0)");
            }
        }

        @Override
        public String rfc6381() {
            return "mp4a.40.34";
        }
    }
}
