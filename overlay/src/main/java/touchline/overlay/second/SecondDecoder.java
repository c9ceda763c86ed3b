package touchline.overlay.second;

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
import touchline.media.ffmpeg.AudioResampler;
import touchline.media.ffmpeg.Pcm;
import touchline.media.ffmpeg.Picture;
import touchline.media.ffmpeg.PictureFormat;
import touchline.media.ffmpeg.PictureScaler;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.overlay.Canvas;
import touchline.overlay.CanvasBox;
import touchline.overlay.Placement;
import touchline.overlay.VideoBox;

/**
 * Decodes one push of the second stream: pictures scaled to their box, sound in the form of the
 * mix. What cannot be decoded is left out, and never ends it. A platform thread of its own.
 */
final class SecondDecoder implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SecondDecoder.class);

    private final Surroundings around;

    private @Nullable VideoDecoder video;
    private @Nullable AudioDecoder audio;
    private @Nullable Scaling scaling;
    private @Nullable AudioResampler resampler;
    private boolean needsKeyFrame = true;
    private boolean malformed;

    /**
     * Where things go.
     *
     * @param name of the stream, for the log
     */
    record Surroundings(
            String name,
            Placement placement,
            StreamLayer layer,
            PictureQueue pictures,
            SecondSound sound,
            SecondTime time,
            LongSupplier nanoTime) {}

    /** A scaler and what it was made for. */
    private record Scaling(
            Canvas canvas, PictureFormat source, CanvasBox box, PictureScaler scaler) {}

    SecondDecoder(Surroundings around) {
        this.around = around;
    }

    void take(FeedItem item) {
        switch (item) {
            case Timeline started -> begin(started);
            case Interruption _ -> closeCodecs();
            case AccessUnit unit -> {
                try {
                    if (unit.track().isVideo()) {
                        picture(unit);
                    } else {
                        sound(unit);
                    }
                } catch (MalformedMediaException e) {
                    wrong(unit, e);
                }
            }
        }
    }

    /** A reconnected encoder has another clock, as far as arrival is concerned. */
    private void begin(Timeline started) {
        closeCodecs();
        around.time().restarted();
        around.pictures().restarted();
        around.sound().restarted();
        try {
            started.video().ifPresent(track -> video = VideoDecoder.open(track, /* threads= */ 1));
            started.audio().ifPresent(track -> audio = AudioDecoder.open(track));
        } catch (MalformedMediaException e) {
            log.info("stream={} second push: {}", around.name(), e.getMessage());
        }
    }

    private void wrong(AccessUnit unit, MalformedMediaException e) {
        needsKeyFrame |= unit.track().isVideo();
        if (!malformed) {
            malformed = true;
            log.info("stream={} second push: {}", around.name(), e.getMessage());
        }
    }

    private void picture(AccessUnit unit) {
        VideoDecoder decoder = video;
        if (decoder == null || (needsKeyFrame && !unit.isKeyFrame())) {
            return;
        }
        needsKeyFrame = false;
        List<Picture> decoded = decoder.decode(unit);
        for (Picture picture : decoded) {
            try (picture) {
                show(picture);
            }
        }
    }

    private void show(Picture picture) {
        around.time().secondArrived(picture.ptsUs(), nowUs());
        Optional<Canvas> canvas = around.layer().canvas();
        if (canvas.isEmpty()) {
            return;
        }
        Scaling fitting = scaling(canvas.get(), picture.format());
        CanvasBox box = fitting.box();
        PictureFormat target = new PictureFormat(box.width(), box.height(), canvas.get().colour());
        try (Picture scaled = Picture.allocate(target)) {
            fitting.scaler().scale(picture.view(), scaled);
            VideoBox shown = VideoBox.of(canvas.get(), box, scaled.view());
            around.pictures().offer(new PictureQueue.Timed(shown, picture.ptsUs()));
        }
    }

    private Scaling scaling(Canvas canvas, PictureFormat source) {
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
                        around.placement()
                                .videoBox(
                                        canvas.width(),
                                        canvas.height(),
                                        source.width(),
                                        source.height()));
        PictureFormat target = new PictureFormat(box.width(), box.height(), canvas.colour());
        Scaling made = new Scaling(canvas, source, box, PictureScaler.open(source, target));
        scaling = made;
        return made;
    }

    private void sound(AccessUnit unit) {
        AudioDecoder decoder = audio;
        Optional<SoundRing> ring = around.sound().ring();
        if (decoder == null) {
            return;
        }
        for (Pcm pcm : decoder.decode(unit)) {
            if (video == null) {
                around.time().secondArrived(unit.ptsUs(), nowUs());
            }
            ring.ifPresent(into -> into.write(inForm(pcm, into)));
        }
    }

    private Pcm inForm(Pcm pcm, SoundRing ring) {
        if (pcm.sampleRateHz() == ring.rateHz() && pcm.channels() == ring.channels()) {
            return pcm;
        }
        AudioResampler open = resampler;
        if (open == null || !open.takes(pcm) || !open.makes(ring.rateHz(), ring.channels())) {
            if (open != null) {
                open.close();
            }
            open = AudioResampler.open(pcm, ring.rateHz(), ring.channels());
            resampler = open;
        }
        return open.convert(pcm);
    }

    private long nowUs() {
        return around.nanoTime().getAsLong() / 1_000;
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
        if (resampler != null) {
            resampler.close();
            resampler = null;
        }
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
