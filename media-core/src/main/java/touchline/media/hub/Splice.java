package touchline.media.hub;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Track;

/**
 * How the held media of a publisher continues a programme that another one wrote. Decoding can only
 * start at a key frame, and the programme hardly ever ends at one. So the timeline begins with the
 * last key frame before the end of the programme, and the frames up to there are the run-up: they
 * are decoded, but each is shown for one tick of the timescale, all together for less than a frame.
 * The first frame behind the end is shown at its own time.
 *
 * <pre>
 * programme, until it stops   |K====|K====|K==
 * held, at the same time         K====|K====|K====|K==
 * run-up, shown for no time                  K         (the frames up to the end of the programme)
 * shown                                      ===|K==
 * </pre>
 *
 * <p>Audio continues with the unit that starts nearest to the end of the last one, and is moved by
 * the rest, which is less than half a unit. The publisher's event loop.
 */
final class Splice {
    /** Audio further from the video is not continued to the unit. */
    private static final long MAX_AUDIO_OFF_US = 200_000;

    /** The result of a try. */
    sealed interface Result {}

    /** What is held does not reach the end of the programme yet. */
    record NotYet() implements Result {}

    record Ready(Splice splice) implements Result {}

    private static final long EVERYTHING = Long.MIN_VALUE;

    private final List<AccessUnit> units;
    private final List<AccessUnit> bridge;
    private final long gapUs;

    /** Presentation times of the run-up by the publisher's clock, sorted. */
    private final long[] runUpTicks;

    /** Frames with an earlier presentation time belong to the run-up. */
    private final long shownFromTicks;

    /** Where the first audio unit should start, by the publisher's clock; empty: anywhere. */
    private final OptionalLong audioFromUs;

    private BoundaryEncoder.@Nullable Frames boundary;
    private long nextTicks;
    private boolean placing;
    private boolean audioPlaced;
    private long shiftUs;

    private Splice(
            List<AccessUnit> units,
            List<AccessUnit> bridge,
            long gapUs,
            long[] runUpTicks,
            long shownFromTicks,
            OptionalLong audioFromUs) {
        this.units = units;
        this.bridge = bridge;
        this.gapUs = gapUs;
        this.runUpTicks = runUpTicks;
        this.shownFromTicks = shownFromTicks;
        this.audioFromUs = audioFromUs;
        this.placing = runUpTicks.length > 0;
        this.nextTicks = placing ? shownFromTicks - runUpTicks.length - reordering() : EVERYTHING;
    }

    /** Begins with the newest key frame, whatever the programme ended with. */
    static Optional<Splice> anyhow(HeldMedia held) {
        List<AccessUnit> units = held.units();
        int entry = lastEntry(held, units, Long.MAX_VALUE);
        return entry < 0
                ? Optional.empty()
                : Optional.of(
                        new Splice(
                                units.subList(entry, units.size()),
                                List.of(),
                                0,
                                new long[0],
                                EVERYTHING,
                                OptionalLong.empty()));
    }

    /**
     * Continues where the programme ends.
     *
     * @param offsetUs media time less the publisher's time, for the same content
     */
    static Result of(HeldMedia held, ProgramEnd end, long offsetUs) {
        List<AccessUnit> units = held.units();
        long cutUs = end.endUs() - offsetUs;
        return end.hasVideo() && held.hasVideo()
                ? ofVideo(held, units, end, cutUs)
                : ofAudio(units, cutUs);
    }

    private static Result ofAudio(List<AccessUnit> units, long cutUs) {
        for (int i = 0; i < units.size(); i++) {
            AccessUnit unit = units.get(i);
            long halfUs = durationUs(unit) / 2;
            if (unit.dtsUs() >= cutUs - halfUs) {
                return new Ready(
                        new Splice(
                                units.subList(i, units.size()),
                                List.of(),
                                unit.dtsUs() - cutUs,
                                new long[0],
                                EVERYTHING,
                                OptionalLong.empty()));
            }
        }
        return new NotYet();
    }

    private static Result ofVideo(
            HeldMedia held, List<AccessUnit> units, ProgramEnd end, long cutUs) {
        long fromUs = cutUs - end.frameUs() / 2;
        int entry = Math.max(0, lastEntry(held, units, cutUs + end.frameUs() / 2));
        long firstTicks = Long.MAX_VALUE;
        long newestDtsTicks = Long.MIN_VALUE;
        @Nullable AccessUnit first = null;
        List<Long> runUp = new ArrayList<>();
        for (AccessUnit unit : units.subList(Math.min(entry, units.size()), units.size())) {
            if (!unit.track().isVideo()) {
                continue;
            }
            newestDtsTicks = unit.dtsTicks();
            if (unit.ptsUs() < fromUs) {
                runUp.add(unit.ptsTicks());
            } else if (unit.ptsTicks() < firstTicks) {
                firstTicks = unit.ptsTicks();
                first = unit;
            }
        }
        // A frame that comes later may have to be shown before, until decoding has passed it.
        if (first == null || (firstTicks > newestDtsTicks && hasReordering(units))) {
            return new NotYet();
        }
        List<AccessUnit> bridge = bridge(units, end, cutUs - end.endUs());
        OptionalLong audioEndUs =
                bridge.isEmpty()
                        ? end.audioEndUs()
                        : OptionalLong.of(bridge.getLast().dtsUs() + durationUs(bridge.getLast()));
        long beyondUs = audioEndUs.isPresent() ? audioEndUs.getAsLong() - end.endUs() : 0;
        boolean continues = beyondUs >= 0 && beyondUs < MAX_AUDIO_OFF_US;
        return new Ready(
                new Splice(
                        units.subList(entry, units.size()),
                        bridge,
                        first.ptsUs() - cutUs,
                        runUp.stream().mapToLong(Long::longValue).sorted().toArray(),
                        firstTicks,
                        OptionalLong.of(first.ptsUs() + (continues ? beyondUs : 0))));
    }

    /**
     * Audio that belongs beside the last frames of the programme and has not arrived with them.
     *
     * @param moveUs publisher's time less media time
     * @return in media time
     */
    private static List<AccessUnit> bridge(List<AccessUnit> units, ProgramEnd end, long moveUs) {
        List<AccessUnit> bridge = new ArrayList<>();
        if (end.audio().isEmpty() || end.audioEndUs().isEmpty()) {
            return bridge;
        }
        Track track = end.audio().get();
        long nextTicks = track.timescale().fromUs(end.audioEndUs().getAsLong());
        long endTicks = track.timescale().fromUs(end.endUs());
        if (endTicks - nextTicks > track.timescale().fromUs(MAX_AUDIO_OFF_US)) {
            return bridge;
        }
        for (AccessUnit unit : units) {
            if (!unit.track().equals(track)) {
                continue;
            }
            long fromUs = track.timescale().toUs(nextTicks) + moveUs - durationUs(unit) / 2;
            if (nextTicks < endTicks && unit.dtsUs() >= fromUs) {
                bridge.add(unit.at(track, nextTicks, 0));
                nextTicks += FrameDuration.ticks(unit);
            }
        }
        return bridge;
    }

    private static boolean hasReordering(List<AccessUnit> units) {
        return units.stream()
                .anyMatch(unit -> unit.track().isVideo() && unit.ptsTicks() != unit.dtsTicks());
    }

    /** Index of the last unit at which decoding can start, presented up to a time; -1: none. */
    private static int lastEntry(HeldMedia held, List<AccessUnit> units, long upToUs) {
        for (int i = units.size() - 1; i >= 0; i--) {
            if (held.isEntry(units.get(i)) && units.get(i).ptsUs() <= upToUs) {
                return i;
            }
        }
        return -1;
    }

    /** By how many units at most decoding is ahead of presentation within the run-up. */
    private long reordering() {
        long most = 0;
        long number = 0;
        for (AccessUnit unit : units) {
            if (unit.track().isVideo()) {
                if (isRunUp(unit)) {
                    most = Math.max(most, number - rank(unit));
                }
                number++;
            }
        }
        return most;
    }

    private boolean isRunUp(AccessUnit frame) {
        return frame.ptsTicks() < shownFromTicks;
    }

    private long rank(AccessUnit frame) {
        int found = Arrays.binarySearch(runUpTicks, frame.ptsTicks());
        return found >= 0 ? found : -found - 1L;
    }

    /**
     * The same with frames that were encoded anew instead of the run-up and the rest of its GOP.
     *
     * @param next the key frame behind them
     */
    Splice with(BoundaryEncoder.Frames frames, AccessUnit next) {
        List<AccessUnit> before = new ArrayList<>(frames.units());
        List<AccessUnit> behind = new ArrayList<>();
        // A unit that would start before its timeline would be left out.
        long shift =
                units.stream().filter(this::startsAudio).findFirst().map(this::shift).orElse(0L);
        boolean isBehind = false;
        for (AccessUnit unit : units) {
            isBehind |= isSameFrame(unit, next);
            if (!unit.track().isVideo()) {
                (unit.dtsUs() + shift < next.ptsUs() ? before : behind).add(unit);
            } else if (isBehind && unit.ptsTicks() > next.ptsTicks()) {
                behind.add(unit);
            }
        }
        AccessUnit first = before.removeFirst();
        before.sort(Comparator.comparingLong(AccessUnit::dtsUs));
        before.addFirst(first);
        behind.addFirst(next);
        Splice encoded = new Splice(behind, bridge, gapUs, new long[0], EVERYTHING, audioFromUs);
        encoded.boundary = new BoundaryEncoder.Frames(frames.track(), before);
        return encoded;
    }

    /**
     * Frames that were encoded anew, with the audio beside them, before {@link #units}: a timeline
     * of their own. Empty without.
     */
    Optional<BoundaryEncoder.Frames> boundary() {
        return Optional.ofNullable(boundary);
    }

    /** Whether both are one frame of one publisher. */
    static boolean isSameFrame(AccessUnit one, AccessUnit other) {
        return one.track().isVideo() == other.track().isVideo()
                && one.dtsTicks() == other.dtsTicks();
    }

    /** The video track of what is held. */
    Track track() {
        return units.getFirst().track();
    }

    /** The first key frame behind the first frame that is shown; empty while it has not arrived. */
    Optional<AccessUnit> nextKeyFrame() {
        return units.stream()
                .filter(unit -> unit.isKeyFrame() && unit.ptsTicks() >= shownFromTicks)
                .findFirst();
    }

    /** Presentation time of the first frame that is shown, by the publisher's clock. */
    long shownFromTicks() {
        return shownFromTicks;
    }

    /** What is held, from the key frame on; each unit goes through {@link #place}. */
    List<AccessUnit> units() {
        return units;
    }

    /** Audio that completes the timeline before this one, in media time. */
    List<AccessUnit> bridge() {
        return bridge;
    }

    /** Content left out; negative: shown twice. */
    long gapUs() {
        return gapUs;
    }

    /** Frames that are decoded and not shown. */
    int runUp() {
        return runUpTicks.length;
    }

    /** Whether units go on without {@link #place}. */
    boolean isDone() {
        return !placing && (audioPlaced || audioFromUs.isEmpty());
    }

    /** Whether timestamps of the unit that was placed last are exact, and not to be smoothed. */
    boolean isRunningUp() {
        return placing;
    }

    /** The next unit with the publisher's timestamps, moved into the run-up; empty: left out. */
    Optional<AccessUnit> place(AccessUnit unit) {
        return unit.track().isVideo() ? Optional.of(placeFrame(unit)) : placeAudio(unit);
    }

    private AccessUnit placeFrame(AccessUnit frame) {
        if (!placing) {
            return frame;
        }
        boolean runsUp = isRunUp(frame);
        if (!runsUp && frame.dtsTicks() >= nextTicks) {
            placing = false;
            return frame;
        }
        long dtsTicks = nextTicks++;
        long start = shownFromTicks - runUpTicks.length;
        long ptsTicks = runsUp ? start + rank(frame) : frame.ptsTicks();
        return frame.at(
                frame.track(), dtsTicks, Math.toIntExact(Math.max(ptsTicks, dtsTicks) - dtsTicks));
    }

    private Optional<AccessUnit> placeAudio(AccessUnit unit) {
        if (audioPlaced || audioFromUs.isEmpty()) {
            return Optional.of(unit);
        }
        if (!startsAudio(unit)) {
            return Optional.empty();
        }
        audioPlaced = true;
        shiftUs = shift(unit);
        return Optional.of(unit);
    }

    /** Whether it is not before the place where audio continues. */
    private boolean startsAudio(AccessUnit unit) {
        return !unit.track().isVideo()
                && audioFromUs.isPresent()
                && unit.dtsUs() >= audioFromUs.getAsLong() - durationUs(unit) / 2;
    }

    /** By how much audio moves if this unit is the first. */
    private long shift(AccessUnit first) {
        long offUs = audioFromUs.orElseThrow() - first.dtsUs();
        return Math.abs(offUs) <= durationUs(first) ? offUs : 0;
    }

    /** By how much audio moves; known with the first audio unit that was placed. */
    long audioShiftUs() {
        return shiftUs;
    }

    private static long durationUs(AccessUnit audio) {
        return audio.track().timescale().toUs(FrameDuration.ticks(audio));
    }
}
