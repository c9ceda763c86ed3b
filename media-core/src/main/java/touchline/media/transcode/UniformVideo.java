package touchline.media.transcode;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.FrameView;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.FrameScaler;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;

/**
 * Re-encodes one video track, or several that follow each other, as one H.264 track. Its size and
 * colours are those of the first frame, at most {@code maxShorterSide}. Frames of another shape are
 * scaled to fit, with black bars. Presentation times stay unchanged. One owner, a platform thread,
 * which blocks as long as the encoder.
 */
public final class UniformVideo implements AutoCloseable {
    private static final byte BLACK_LUMA = 16;
    private static final byte BLACK_CHROMA = (byte) 128;

    private final Settings settings;
    private @Nullable VideoDecoder decoder;
    private @Nullable VideoEncoder encoder;
    private @Nullable FrameFormat target;
    private @Nullable Fit fit;

    /** Of the last frame: one at this time or before it is dropped, as at a joint of two tracks. */
    private long lastPtsTicks = Long.MIN_VALUE;

    /**
     * @param maxShorterSide of the output, in pixels; larger frames are scaled to it
     * @param bitrateBps of the output
     * @param frameRate nominal; the frames' times are authoritative
     * @param threads of decoder and encoder each, 1 to 16
     */
    public record Settings(
            int maxShorterSide,
            int bitrateBps,
            FrameRate frameRate,
            H264Encoder encoder,
            int threads) {}

    /**
     * Scales frames of one format.
     *
     * @param inner the scaled frame; {@code canvas} where it fills it
     */
    private record Fit(FrameFormat source, FrameScaler scaler, VideoFrame inner, VideoFrame canvas)
            implements AutoCloseable {
        static Fit open(FrameFormat source, FrameFormat target) {
            double factor =
                    Math.min(
                            (double) target.width() / source.width(),
                            (double) target.height() / source.height());
            FrameFormat size =
                    new FrameFormat(
                            Math.min(target.width(), even(source.width() * factor)),
                            Math.min(target.height(), even(source.height() * factor)),
                            target.colour());
            VideoFrame canvas = VideoFrame.allocate(target);
            VideoFrame inner = canvas;
            if (!size.equals(target)) {
                blacken(canvas);
                inner = VideoFrame.allocate(size);
            }
            try {
                return new Fit(source, FrameScaler.open(source, size), inner, canvas);
            } catch (RuntimeException e) {
                inner.close();
                canvas.close();
                throw e;
            }
        }

        VideoFrame scale(VideoFrame frame) {
            scaler.scale(frame.view(), inner);
            if (inner != canvas) {
                int x = (canvas.format().width() - inner.format().width()) / 4 * 2;
                int y = (canvas.format().height() - inner.format().height()) / 4 * 2;
                copy(0, x, y, inner.format().width(), inner.format().height());
                for (int plane = 1; plane <= 2; plane++) {
                    copy(
                            plane,
                            x / 2,
                            y / 2,
                            inner.format().chromaWidth(),
                            inner.format().chromaHeight());
                }
            }
            canvas.ptsTicks(frame.ptsTicks());
            return canvas;
        }

        private void copy(int plane, int x, int y, int width, int height) {
            FrameView.Plane from = inner.planes().get(plane);
            FrameView.Plane to = canvas.planes().get(plane);
            for (int row = 0; row < height; row++) {
                MemorySegment.copy(
                        from.samples(),
                        (long) row * from.strideBytes(),
                        to.samples(),
                        (long) (y + row) * to.strideBytes() + x,
                        width);
            }
        }

        private static void blacken(VideoFrame frame) {
            boolean isFullRange = frame.format().colour().fullRange();
            for (int i = 0; i < frame.planes().size(); i++) {
                byte luma = isFullRange ? 0 : BLACK_LUMA;
                frame.planes().get(i).samples().fill(i == 0 ? luma : BLACK_CHROMA);
            }
        }

        @Override
        public void close() {
            scaler.close();
            inner.close();
            canvas.close();
        }
    }

    public UniformVideo(Settings settings) {
        this.settings = settings;
    }

    /**
     * Ends the last track, and begins the next one.
     *
     * @return the remaining units of the last one that are encoded by now
     * @throws MalformedMediaException the track's configuration is invalid
     */
    public List<AccessUnit> begin(Track track) {
        List<AccessUnit> units = drained();
        VideoDecoder before = decoder;
        if (before != null) {
            before.close();
        }
        decoder = null;
        decoder = VideoDecoder.open(track, settings.threads());
        return units;
    }

    /**
     * Processes the next unit of the track, in decode order, with its time in the output.
     *
     * @return zero or more units of the output, in decode order; the first one is a key frame
     * @throws MalformedMediaException its bytes are invalid
     * @throws FfmpegException if the encoder cannot be opened
     */
    public List<AccessUnit> add(AccessUnit unit) {
        VideoDecoder open = decoder;
        if (open == null) {
            throw new IllegalStateException("no track has begun");
        }
        return encoded(open.decode(unit));
    }

    /** Returns the remaining units. */
    public List<AccessUnit> finish() {
        List<AccessUnit> units = new ArrayList<>(drained());
        if (encoder != null) {
            units.addAll(encoder.finish());
        }
        return units;
    }

    private List<AccessUnit> drained() {
        return decoder == null ? List.of() : encoded(decoder.drain());
    }

    private List<AccessUnit> encoded(List<VideoFrame> frames) {
        List<AccessUnit> units = new ArrayList<>(frames.size());
        try {
            for (VideoFrame frame : frames) {
                if (frame.ptsTicks() > lastPtsTicks) {
                    lastPtsTicks = frame.ptsTicks();
                    units.addAll(encoded(frame));
                }
            }
            return units;
        } finally {
            frames.forEach(VideoFrame::close);
        }
    }

    private List<AccessUnit> encoded(VideoFrame frame) {
        VideoEncoder open = encoder;
        FrameFormat wanted = target;
        if (open == null || wanted == null) {
            wanted = target(frame.format());
            target = wanted;
            open = open(wanted);
            encoder = open;
        }
        Fit scaling = fit;
        if (scaling == null || !scaling.source().equals(frame.format())) {
            fit = null;
            if (scaling != null) {
                scaling.close();
            }
            scaling = Fit.open(frame.format(), wanted);
            fit = scaling;
        }
        return open.encode(scaling.scale(frame), /* forceKeyFrame= */ false);
    }

    private VideoEncoder open(FrameFormat format) {
        return VideoEncoder.open(
                VideoSettings.live(format, settings.frameRate(), settings.encoder())
                        .withBitrate(settings.bitrateBps())
                        .with(
                                new VideoSettings.Tuning(
                                        VideoSettings.Speed.VERYFAST,
                                        settings.threads(),
                                        /* lowDelay= */ false)));
    }

    /** Same aspect ratio, even sides, never larger than the first frame. */
    private FrameFormat target(FrameFormat first) {
        int shorter = Math.min(first.width(), first.height());
        double factor = Math.min(1, (double) settings.maxShorterSide() / shorter);
        return new FrameFormat(
                even(first.width() * factor), even(first.height() * factor), first.colour());
    }

    private static int even(double side) {
        return Math.max(2, (int) Math.round(side / 2) * 2);
    }

    @Override
    public void close() {
        if (fit != null) {
            fit.close();
            fit = null;
        }
        if (encoder != null) {
            encoder.close();
            encoder = null;
        }
        if (decoder != null) {
            decoder.close();
            decoder = null;
        }
    }
}
