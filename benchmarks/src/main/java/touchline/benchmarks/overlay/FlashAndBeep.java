package touchline.benchmarks.overlay;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.benchmarks.load.Samples;
import touchline.media.AccessUnit;
import touchline.media.FrameView;
import touchline.media.ffmpeg.AudioDecoder;
import touchline.media.ffmpeg.Pcm;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.media.ffmpeg.VideoFrame;

/**
 * Decodes a program as a player does, and records when the upper left corner turns white and when a
 * tone begins. One thread decodes; the results are read after the end.
 */
final class FlashAndBeep {
    private static final int CORNER = 16;
    private static final int WHITE = 128;
    private static final float LOUD = 0.25f;

    /** Minimum silence between two beeps. */
    private static final double QUIET_SECONDS = 0.3;

    private static final long PAIR_US = 300_000;

    private final List<Long> flashesUs = new ArrayList<>();
    private final List<Long> beepsUs = new ArrayList<>();
    private @Nullable VideoDecoder video;
    private @Nullable AudioDecoder audio;
    private boolean white;
    private double lastLoudSeconds = Double.NEGATIVE_INFINITY;

    /** Called on the viewer's thread. */
    synchronized void decode(AccessUnit unit) {
        if (unit.track().isVideo()) {
            VideoDecoder open = video == null ? VideoDecoder.open(unit.track(), 1) : video;
            video = open;
            for (VideoFrame frame : open.decode(unit)) {
                try (frame) {
                    findFlash(frame);
                }
            }
        } else {
            AudioDecoder open = audio == null ? AudioDecoder.open(unit.track()) : audio;
            audio = open;
            open.decode(unit).forEach(this::findBeep);
        }
    }

    /** Frees the decoders; the results stay. */
    synchronized void close() {
        if (video != null) {
            video.close();
        }
        if (audio != null) {
            audio.close();
        }
    }

    private void findFlash(VideoFrame frame) {
        FrameView.Plane luma = frame.planes().getFirst();
        long at = (long) CORNER * luma.strideBytes() + CORNER;
        boolean now = (luma.samples().get(ValueLayout.JAVA_BYTE, at) & 0xFF) > WHITE;
        if (now && !white) {
            flashesUs.add(frame.ptsUs());
        }
        white = now;
    }

    private void findBeep(Pcm pcm) {
        for (int i = 0; i < pcm.frames(); i++) {
            if (Math.abs(pcm.sample(i, 0)) > LOUD) {
                double seconds = (pcm.startFrame() + i) / (double) pcm.sampleRateHz();
                if (seconds - lastLoudSeconds > QUIET_SECONDS) {
                    beepsUs.add(Math.round(seconds * 1e6));
                }
                lastLoudSeconds = seconds;
            }
        }
    }

    /**
     * Delay of each flash against its beep, in milliseconds.
     *
     * @param fromUs media time of the first flash that counts
     * @param toUs media time of the first flash that does not count
     */
    synchronized Samples offsetsMs(long fromUs, long toUs) {
        Samples offsets = new Samples();
        for (long flashUs : flashesUs) {
            if (flashUs >= fromUs && flashUs < toUs) {
                beepsUs.stream()
                        .mapToLong(beepUs -> flashUs - beepUs)
                        .filter(offUs -> Math.abs(offUs) < PAIR_US)
                        .findFirst()
                        .ifPresent(offUs -> offsets.add(offUs / 1_000.0));
            }
        }
        return offsets;
    }
}
