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
 * Writes a compositor's program: the source's timelines with the new tracks. The first frame
 * determines the video track; audio waits for it. One owner thread.
 */
final class ProgramWriter {
    /**
     * Maximum audio units that wait for the first frame, about ten seconds; the oldest are dropped.
     */
    private static final int MAX_WAITING = 512;

    /** Without any decodable frame in this time, audio starts alone. */
    private static final long MAX_WAIT_US = 3_000_000;

    private final ProgramSwitch program;
    private final Deque<AccessUnit> waiting = new ArrayDeque<>();

    private @Nullable Timeline source;
    private @Nullable Track audio;
    private @Nullable Track frames;
    private boolean open;

    ProgramWriter(ProgramSwitch program) {
        this.program = program;
    }

    /**
     * @param audioTrack track of the audio units; null without audio
     */
    void begin(Timeline started, @Nullable Track audioTrack) {
        source = started;
        audio = audioTrack;
        frames = null;
        open = false;
        waiting.clear();
    }

    void audio(List<AccessUnit> units) {
        Timeline current = source;
        for (AccessUnit unit : units) {
            if (open) {
                program.offer(unit);
            } else if (current != null) {
                hold(current, unit);
            }
        }
        program.flush();
    }

    private void hold(Timeline current, AccessUnit unit) {
        if (waiting.size() == MAX_WAITING) {
            waiting.removeFirst();
        }
        waiting.add(unit);
        boolean mayWait = unit.dtsUs() - waiting.getFirst().dtsUs() < MAX_WAIT_US;
        if (current.video().isEmpty() || !mayWait) {
            open(current, waiting.getFirst().dtsUs());
        }
    }

    /**
     * @param track track of the units; a new track opens a timeline
     */
    void frames(Track track, List<AccessUnit> units) {
        Timeline current = source;
        if (current == null || units.isEmpty()) {
            return;
        }
        if (!open || !track.equals(frames)) {
            frames = track;
            long firstUs = units.getFirst().dtsUs();
            AccessUnit firstAudio = waiting.peekFirst();
            open(current, firstAudio == null ? firstUs : Math.min(firstUs, firstAudio.dtsUs()));
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
        if (frames != null) {
            tracks.add(frames);
        }
        if (audio != null) {
            tracks.add(audio);
        }
        open = true;
        program.offer(new Timeline(0, tracks, startUs, current.wallClock(startUs)));
        waiting.forEach(program::offer);
        waiting.clear();
    }
}
