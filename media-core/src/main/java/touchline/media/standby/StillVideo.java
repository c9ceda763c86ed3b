package touchline.media.standby;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.FrameScaler;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.hub.StandbyMedia;

/**
 * Encodes one frame as a GOP of H.264 that repeats: a key frame, then frames that change nothing.
 * Two repetitions never have two key frames in a row, so equal values of idr_pic_id are permitted
 * (Rec. ITU-T H.264, 7.4.3). On the calling thread, a platform thread.
 */
final class StillVideo {
    private static final Logger log = LoggerFactory.getLogger(StillVideo.class);

    private static final double GOP_SECONDS = 2;
    private static final double USUAL_RATE = 25;
    private static final double MIN_RATE = 1;
    private static final double MAX_RATE = 120;

    /** Of a frame of 720 lines 4 Mbit/s: most of the bits are the key frame's. */
    private static final double BITS_PER_PIXEL = 4.4;

    private static final int MIN_BITRATE_BPS = 500_000;
    private static final int MAX_BITRATE_BPS = 24_000_000;

    private StillVideo() {}

    /**
     * @param frame borrowed
     * @param frameRate frames per second; 0 if unknown
     * @param encoders usable ones, the preferred first; at least one
     * @throws FfmpegException none of the encoders takes the frame
     */
    static StandbyMedia.Loop encode(
            VideoFrame frame, double frameRate, List<H264Encoder> encoders) {
        FrameFormat format = frame.format();
        if (format.width() % 2 == 0 && format.height() % 2 == 0) {
            return encodeEven(frame, frameRate, encoders);
        }
        var even =
                new FrameFormat(
                        Math.max(2, format.width() & ~1),
                        Math.max(2, format.height() & ~1),
                        format.colour());
        try (FrameScaler scaler = FrameScaler.open(format, even);
                VideoFrame scaled = VideoFrame.allocate(even)) {
            scaler.scale(frame.view(), scaled);
            scaled.sampleAspect(frame.sampleAspect());
            return encodeEven(scaled, frameRate, encoders);
        }
    }

    private static StandbyMedia.Loop encodeEven(
            VideoFrame frame, double frameRate, List<H264Encoder> encoders) {
        FfmpegException last = null;
        for (H264Encoder kind : encoders) {
            try {
                return encode(frame, frameRate, kind);
            } catch (FfmpegException e) {
                log.warn("standby: {} does not encode: {}", kind.configName(), e.getMessage());
                last = e;
            }
        }
        throw last == null
                ? new FfmpegException("avcodec_find_encoder", 0, "no encoder of H.264")
                : last;
    }

    private static StandbyMedia.Loop encode(VideoFrame frame, double wanted, H264Encoder kind) {
        FrameRate rate = rate(wanted);
        int frames = (int) Math.max(2, Math.round(rate.perSecond() * GOP_SECONDS));
        var settings =
                VideoSettings.live(frame.format(), rate, kind)
                        .with(new VideoSettings.Gop(frames, /* bFrames= */ 0))
                        .withBitrate(bitrateBps(frame.format()));
        List<AccessUnit> units = new ArrayList<>(frames);
        try (VideoEncoder encoder = VideoEncoder.open(settings, frame.sampleAspect())) {
            for (int i = 0; i < frames; i++) {
                frame.ptsTicks(rate.ticksOf(i));
                units.addAll(encoder.encode(frame, /* forceKeyFrame= */ i == 0));
            }
            units.addAll(encoder.finish());
            return loop(encoder.track(), units, rate, frames);
        }
    }

    /** Exact times, also where the encoder left a frame out. */
    private static StandbyMedia.Loop loop(
            Track track, List<AccessUnit> units, FrameRate rate, int frames) {
        if (units.isEmpty() || !units.getFirst().isKeyFrame()) {
            throw new FfmpegException(
                    "avcodec_receive_packet", 0, units.size() + " units, no key frame first");
        }
        return new StandbyMedia.Loop(track, units, rate.ticksOf(frames));
    }

    private static int bitrateBps(FrameFormat format) {
        double bps = BITS_PER_PIXEL * format.width() * format.height();
        return (int) Math.clamp(bps, MIN_BITRATE_BPS, MAX_BITRATE_BPS);
    }

    /** To a thousandth, as 30000/1001. */
    private static FrameRate rate(double wanted) {
        double rate = wanted > 0 ? Math.clamp(wanted, MIN_RATE, MAX_RATE) : USUAL_RATE;
        long whole = Math.round(rate);
        double fromNtsc = Math.abs(rate - whole * 1_000 / 1_001.0);
        double fromWhole = Math.abs(rate - whole);
        // Up to five frames a second, both are near.
        if (fromNtsc < 0.005 && fromNtsc < fromWhole) {
            return new FrameRate((int) whole * 1_000, 1_001);
        }
        return fromWhole < 0.005
                ? FrameRate.of((int) whole)
                : new FrameRate((int) Math.round(rate * 1_000), 1_000);
    }
}
