package touchline.overlay.stream;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import touchline.overlay.AudioStage;
import touchline.overlay.OverlaySpec.AudioMix;

/**
 * Audio of a program with an optional overlay stream. Lives as long as the compositor, with or
 * without a publisher of the overlay. One per compositor; any thread.
 */
public final class ProgramAudio {
    private static final AudioMix UNTOUCHED =
            new AudioMix(AudioMix.Mode.MAIN, /* volumeMain= */ 1, /* volumeSecondary= */ 0);

    private final AtomicReference<AudioMix> mix = new AtomicReference<>(UNTOUCHED);
    private final AtomicBoolean expectsOverlay;
    private final OverlayStreamTime time = new OverlayStreamTime();
    private final OverlayStreamAudio audio = new OverlayStreamAudio();
    private final MixStage stage;

    /**
     * @param nanoTime monotonic clock for arrivals
     * @param expectsOverlay whether an overlay stream will be mixed in, so that a program without
     *     audio gets a track
     */
    public ProgramAudio(LongSupplier nanoTime, boolean expectsOverlay) {
        this.expectsOverlay = new AtomicBoolean(expectsOverlay);
        stage = new MixStage(time, audio, new RequestedLevels(), nanoTime);
    }

    private final class RequestedLevels implements MixStage.Levels {
        @Override
        public AudioMix now() {
            return mix.get();
        }

        @Override
        public boolean expectsOverlay() {
            return expectsOverlay.get();
        }
    }

    /** The stage for the compositor, which closes it. */
    public AudioStage stage() {
        return stage;
    }

    /** Changes the levels within 10 ms. */
    public void mix(AudioMix wanted) {
        expectsOverlay.set(true);
        mix.set(wanted);
    }

    /** Selects the main audio only. */
    public void mainOnly() {
        expectsOverlay.set(false);
        mix.set(UNTOUCHED);
    }

    OverlayStreamTime time() {
        return time;
    }

    OverlayStreamAudio audio() {
        return audio;
    }
}
