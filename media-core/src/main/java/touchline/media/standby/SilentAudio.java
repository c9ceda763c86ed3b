package touchline.media.standby;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AudioSpecificConfig;
import touchline.media.ffmpeg.AudioSettings;
import touchline.media.ffmpeg.SilentUnit;
import touchline.media.hub.StandbyMedia;

/**
 * One frame of silence that repeats, in the format of a track where that is possible: AAC-LC and
 * Opus of up to two channels keep their track; other audio becomes AAC-LC of the same sample rate
 * and channels. On the calling thread, a platform thread.
 */
final class SilentAudio {
    private static final int LOW_COMPLEXITY = 2;
    private static final int SBR = 5;
    private static final int PS = 29;
    private static final int FRAME_SAMPLES = 1_024;
    private static final int MAX_RATE_HZ = 96_000;
    private static final int MIN_RATE_HZ = 8_000;
    private static final int BITRATE_BPS = 64_000;

    /** RFC 6716, 3.1: CELT, fullband, frames of 20 ms. */
    private static final int OPUS_MONO = 0xF8;

    private static final int OPUS_STEREO_FLAG = 0x04;
    private static final int OPUS_FRAMES_PER_SECOND = 50;

    private SilentAudio() {}

    /**
     * @throws RuntimeException this rate, or this number of channels, cannot be encoded
     */
    static StandbyMedia.Loop like(Track track) {
        return switch (track.codec()) {
            case CodecConfig.Aac(var config) when keeps(config) ->
                    loop(track, aac(config.sampleRateHz(), config.channels()), FRAME_SAMPLES);
            case CodecConfig.Aac(var config) -> other(outputRate(config), config.channels());
            case CodecConfig.Opus(var config) when config.channels() <= 2 ->
                    loop(
                            track,
                            opus(config.channels()),
                            track.timescale().ticksPerSecond() / OPUS_FRAMES_PER_SECOND);
            case CodecConfig.Opus(var config) -> other(48_000, config.channels());
            case CodecConfig.Mp3(int rateHz, int channels) -> other(rateHz, channels);
            case CodecConfig.Avc _, CodecConfig.Hevc _, CodecConfig.Av1 _ ->
                    throw new IllegalArgumentException("not audio: " + track.codec().rfc6381());
        };
    }

    /** Whether a frame of another encoder is valid under this configuration. */
    private static boolean keeps(AudioSpecificConfig config) {
        return config.objectType() == LOW_COMPLEXITY
                && config.samplesPerFrame() == FRAME_SAMPLES
                && written(config.sampleRateHz(), config.channels())
                        .filter(plain -> sameStart(plain.bytes(), config.bytes()))
                        .isPresent();
    }

    private static Optional<AudioSpecificConfig> written(int rateHz, int channels) {
        try {
            return Optional.of(AudioSpecificConfig.of(rateHz, channels));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static boolean sameStart(MemorySegment plain, MemorySegment config) {
        return config.byteSize() >= plain.byteSize()
                && plain.mismatch(config.asSlice(0, plain.byteSize())) == -1;
    }

    private static int outputRate(AudioSpecificConfig config) {
        boolean doubled = config.objectType() == SBR || config.objectType() == PS;
        return doubled ? 2 * config.sampleRateHz() : config.sampleRateHz();
    }

    private static StandbyMedia.Loop other(int rateHz, int channels) {
        int rate = Math.clamp(rateHz, MIN_RATE_HZ, MAX_RATE_HZ);
        Track track =
                new Track(
                        Track.AUDIO_ID,
                        new Timescale(rate),
                        new CodecConfig.Aac(AudioSpecificConfig.of(rate, channels)));
        return loop(track, aac(rate, channels), FRAME_SAMPLES);
    }

    private static StandbyMedia.Loop loop(Track track, MemorySegment frame, long lengthTicks) {
        AccessUnit unit = new AccessUnit(track, 0, 0, /* idr= */ true, frame);
        long ticks = lengthTicks * track.timescale().ticksPerSecond();
        long perSecond =
                track.codec() instanceof CodecConfig.Aac(var config)
                        ? config.sampleRateHz()
                        : track.timescale().ticksPerSecond();
        return new StandbyMedia.Loop(track, List.of(unit), ticks / perSecond);
    }

    private static MemorySegment aac(int rateHz, int channels) {
        return SilentUnit.of(new AudioSettings(rateHz, channels, BITRATE_BPS)).payload();
    }

    private static MemorySegment opus(int channels) {
        byte[] packet = {
            (byte) (channels == 2 ? OPUS_MONO | OPUS_STEREO_FLAG : OPUS_MONO),
            (byte) 0xFF,
            (byte) 0xFE
        };
        return MemorySegment.ofArray(packet).asReadOnly();
    }
}
