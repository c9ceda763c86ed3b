package touchline.media.signal;

import java.util.function.BooleanSupplier;
import touchline.media.hub.Feed;
import touchline.media.hub.LiveStream;
import touchline.media.hub.Subscription;
import touchline.media.hub.UnitChoice;

/**
 * The media that a watch reads. Audio is that of the program: what viewers hear, mixed or not.
 * Video is that of the source: a scoreboard with a running clock would hide a camera that is black
 * or frozen. What is too late is dropped, and never slows a publisher.
 *
 * @param audio the program's audio
 * @param video the source's key frames
 * @param onStandby whether a standby stands for the encoder now: silence and a still frame are no
 *     faults then
 */
public record WatchedMedia(Subscription audio, Subscription video, BooleanSupplier onStandby)
        implements AutoCloseable {
    /** About half a minute. */
    private static final long AUDIO_BYTES = 1L << 20;

    private static final long VIDEO_BYTES = 8L << 20;

    /** Subscribes from now on, to miss nothing before the watch begins. */
    public static WatchedMedia of(LiveStream live) {
        return of(live.program(), live.source(), () -> live.standby().status().isPresent());
    }

    /** The same of feeds. */
    public static WatchedMedia of(Feed program, Feed source, BooleanSupplier onStandby) {
        return new WatchedMedia(
                program.subscribe("signal", AUDIO_BYTES, UnitChoice.AUDIO),
                source.subscribe("signal", VIDEO_BYTES, UnitChoice.KEY_FRAMES),
                onStandby);
    }

    long droppedUnits() {
        return audio.droppedUnits() + video.droppedUnits();
    }

    @Override
    public void close() {
        audio.close();
        video.close();
    }
}
