package touchline.overlay.stream;

import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.AudioDecoder;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameScaler;
import touchline.media.ffmpeg.Pcm;
import touchline.media.ffmpeg.PcmConverter;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.overlay.Canvas;
import touchline.overlay.CanvasBox;
import touchline.overlay.Placement;
import touchline.overlay.VideoBox;

/**
 * Decodes one publication of the overlay stream: scales video to its box, converts audio to the
 * mix's format. Skips broken units. A platform thread of its own.
 */
final class OverlayStreamDecoder implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OverlayStreamDecoder.class);

    private final Dependencies dependencies;
    private final PcmConverter converter = new PcmConverter();

    private @Nullable VideoDecoder video;
    private @Nullable AudioDecoder audio;
    private @Nullable Scaling scaling;
    private boolean needsKeyFrame = true;
    private boolean malformed;

    /**
     * Targets of decoded video and audio.
     *
     * @param name stream id, for logs
     */
    record Dependencies(
            String name,
            Placement placement,
            StreamLayer layer,
            OverlayFrameQueue frames,
            OverlayStreamAudio overlayAudio,
            OverlayStreamTime time,
            LongSupplier nanoTime) {}

    /** A scaler and its parameters. */
    private record Scaling(Canvas canvas, FrameFormat source, CanvasBox box, FrameScaler scaler) {}

    OverlayStreamDecoder(Dependencies dependencies) {
        this.dependencies = dependencies;
    }

    void take(FeedItem item) {
        switch (item) {
            case Timeline started -> begin(started);
            case Interruption _ -> closeCodecs();
            case AccessUnit unit -> {
                try {
                    if (unit.track().isVideo()) {
                        frame(unit);
                    } else {
                        decodeAudio(unit);
                    }
                } catch (RuntimeException e) {
                    logMalformed(unit, e);
                }
            }
        }
    }

    /** A reconnected encoder has a new clock. */
    private void begin(Timeline started) {
        closeCodecs();
        dependencies.time().restarted();
        dependencies.frames().restarted();
        dependencies.overlayAudio().restarted();
        try {
            started.video().ifPresent(track -> video = VideoDecoder.open(track, /* threads= */ 1));
            started.audio().ifPresent(track -> audio = AudioDecoder.open(track));
        } catch (MalformedMediaException e) {
            log.info("stream={} overlay stream: {}", dependencies.name(), e.getMessage());
        }
    }

    /** One unit never ends the overlay stream. */
    private void logMalformed(AccessUnit unit, RuntimeException e) {
        needsKeyFrame |= unit.track().isVideo();
        if (!malformed) {
            malformed = true;
            log.info("stream={} overlay stream: {}", dependencies.name(), e.getMessage());
        }
    }

    private void frame(AccessUnit unit) {
        VideoDecoder decoder = video;
        if (decoder == null || (needsKeyFrame && !unit.isKeyFrame())) {
            return;
        }
        needsKeyFrame = false;
        List<VideoFrame> decoded = decoder.decode(unit);
        for (VideoFrame frame : decoded) {
            try (frame) {
                show(frame);
            }
        }
    }

    private void show(VideoFrame frame) {
        dependencies.time().overlayArrived(frame.ptsUs(), nowUs());
        Optional<Canvas> canvas = dependencies.layer().canvas();
        if (canvas.isEmpty()) {
            return;
        }
        Scaling fitting = scaling(canvas.get(), frame.format());
        CanvasBox box = fitting.box();
        FrameFormat target = new FrameFormat(box.width(), box.height(), canvas.get().colour());
        try (VideoFrame scaled = VideoFrame.allocate(target)) {
            fitting.scaler().scale(frame.view(), scaled);
            VideoBox shown = VideoBox.of(canvas.get(), box, scaled.view());
            dependencies.frames().offer(new OverlayFrameQueue.Timed(shown, frame.ptsUs()));
        }
    }

    private Scaling scaling(Canvas canvas, FrameFormat source) {
        Scaling open = scaling;
        if (open != null && open.canvas().equals(canvas) && open.source().equals(source)) {
            return open;
        }
        if (open != null) {
            open.scaler().close();
            scaling = null;
        }
        CanvasBox box =
                VideoBox.even(
                        dependencies
                                .placement()
                                .videoBox(
                                        canvas.width(),
                                        canvas.height(),
                                        source.width(),
                                        source.height()));
        FrameFormat target = new FrameFormat(box.width(), box.height(), canvas.colour());
        Scaling made = new Scaling(canvas, source, box, FrameScaler.open(source, target));
        scaling = made;
        return made;
    }

    private void decodeAudio(AccessUnit unit) {
        AudioDecoder decoder = audio;
        Optional<AudioRing> ring = dependencies.overlayAudio().ring();
        if (decoder == null) {
            return;
        }
        for (Pcm pcm : decoder.decode(unit)) {
            if (video == null) {
                dependencies.time().overlayArrived(unit.ptsUs(), nowUs());
            }
            ring.ifPresent(into -> into.write(converted(pcm, into)));
        }
    }

    private Pcm converted(Pcm pcm, AudioRing ring) {
        return converter.convert(pcm, ring.rateHz(), ring.channels());
    }

    private long nowUs() {
        return dependencies.nanoTime().getAsLong() / 1_000;
    }

    private void closeCodecs() {
        if (video != null) {
            video.close();
            video = null;
        }
        if (audio != null) {
            audio.close();
            audio = null;
        }
        converter.close();
        needsKeyFrame = true;
        malformed = false;
    }

    @Override
    public void close() {
        closeCodecs();
        if (scaling != null) {
            scaling.scaler().close();
            scaling = null;
        }
    }
}
