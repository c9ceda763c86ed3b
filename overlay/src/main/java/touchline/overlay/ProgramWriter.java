package touchline.overlay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.hub.ProgramSwitch;

/**
 * What leaves a compositor: timelines of the source with the tracks as they are now, once the first
 * picture tells what these are; sound waits for it. One owner thread.
 */
final class ProgramWriter {
    /** Sound that waits for the first picture, some ten seconds; beyond, the oldest is lost. */
    private static final int MAX_WAITING = 512;

    /** Whoever declares pictures and sends none that can be decoded is heard all the same. */
    private static final long PATIENCE_US = 3_000_000;

    private final ProgramSwitch program;
    private final Deque<AccessUnit> waiting = new ArrayDeque<>();

    private @Nullable Timeline source;
    private @Nullable Track sound;
    private @Nullable Track pictures;
    private boolean open;

    ProgramWriter(ProgramSwitch program) {
        this.program = program;
    }

    /**
     * @param soundTrack the one that units of sound will have; null without sound
     */
    void begin(Timeline started, @Nullable Track soundTrack) {
        source = started;
        sound = soundTrack;
        pictures = null;
        open = false;
        waiting.clear();
    }

    void sound(List<AccessUnit> units) {
        Timeline current = source;
        for (AccessUnit unit : units) {
            if (open) {
                program.offer(unit);
            } else if (current != null) {
                wait(current, unit);
            }
        }
        program.flush();
    }

    private void wait(Timeline current, AccessUnit unit) {
        if (waiting.size() == MAX_WAITING) {
            waiting.removeFirst();
        }
        waiting.add(unit);
        boolean patient = unit.dtsUs() - waiting.getFirst().dtsUs() < PATIENCE_US;
        if (current.video().isEmpty() || !patient) {
            open(current, waiting.getFirst().dtsUs());
        }
    }

    /**
     * @param track whose units these are; another one than before opens a timeline
     */
    void pictures(Track track, List<AccessUnit> units) {
        Timeline current = source;
        if (current == null || units.isEmpty()) {
            return;
        }
        if (!open || !track.equals(pictures)) {
            pictures = track;
            long firstUs = units.getFirst().dtsUs();
            AccessUnit firstSound = waiting.peekFirst();
            open(current, firstSound == null ? firstUs : Math.min(firstUs, firstSound.dtsUs()));
        }
        units.forEach(program::offer);
        program.flush();
    }

    void interruption() {
        source = null;
        open = false;
        waiting.clear();
        program.offer(Interruption.PUBLISHER_GONE);
        program.flush();
    }

    private void open(Timeline current, long startUs) {
        List<Track> tracks = new ArrayList<>(2);
        if (pictures != null) {
            tracks.add(pictures);
        }
        if (sound != null) {
            tracks.add(sound);
        }
        open = true;
        program.offer(new Timeline(0, tracks, startUs, current.wallClock(startUs)));
        waiting.forEach(program::offer);
        waiting.clear();
    }
}
