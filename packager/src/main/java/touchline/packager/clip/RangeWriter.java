package touchline.packager.clip;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.packager.isobmff.Fragment;
import touchline.packager.record.Recording;

/**
 * Writes a range of segments into a clip: whole segments by reference, samples before and after
 * them into files of the clip. One thread, used once.
 */
final class RangeWriter {
    private static final long FRAGMENT_US = 1_000_000;
    private static final long SEGMENT_US = 2_000_000;

    /** Duration of a sample that is decoded later than in the source. */
    private static final long SHORT_TICKS = 90;

    private final Material material;
    private final BoundaryGops edges;
    private final ClipWriter out;
    private final SampleReader reader;
    private final List<Fragment.Sample> part = new ArrayList<>();
    private @Nullable AccessUnit pending;

    /** The range's first unit is decoded when it is presented. */
    private boolean begun;

    private long segmentUs;
    private int nextAudio;

    /**
     * What there is to take from.
     *
     * @param source the recording
     * @param folder its files
     * @param tracks as the clip's init segment names them, the leading one first
     * @param leading samples that the plan was made of
     * @param beside audio of the range only; none where audio leads
     * @param linkable whole segments may be taken as they are: times and tracks are the source's
     * @param followed another range comes behind this one, whose audio begins with it
     */
    record Material(
            Recording source,
            Path folder,
            List<Track> tracks,
            List<StoredSample> leading,
            RangeCutter.AudioCut beside,
            boolean linkable,
            boolean followed) {
        Material {
            tracks = List.copyOf(tracks);
        }

        List<StoredSample> audio() {
            return beside.samples();
        }

        Track lead() {
            return tracks.getFirst();
        }
    }

    RangeWriter(Material material, BoundaryGops edges, ClipWriter out, SampleReader reader) {
        this.material = material;
        this.edges = edges;
        this.out = out;
        this.reader = reader;
    }

    /**
     * @param endTicks where the last frame ends if nothing else says so, on the leading track
     * @return where it ends
     */
    long write(long endTicks) throws IOException {
        ClipPlan plan = edges.plan();
        List<StoredSample> leading = material.leading();
        int wholeFrom = wholeFrom(plan);
        int wholeTo = Math.max(wholeFrom, wholeTo(plan));
        for (AccessUnit unit : edges.head()) {
            add(unit);
        }
        int index = plan.keptFrom();
        while (index < plan.keptTo()
                && (wholeFrom == wholeTo || leading.get(index).segment() < wholeFrom)) {
            add(unit(leading.get(index++)));
        }
        if (wholeFrom < wholeTo) {
            finishPart(leading.get(index).dtsTicks(), firstAudioIn(wholeFrom));
            out.seal();
            link(wholeFrom, wholeTo);
            begun = true;
            while (index < plan.keptTo() && leading.get(index).segment() < wholeTo) {
                index++;
            }
            nextAudio = firstAudioIn(wholeTo);
        }
        while (index < plan.keptTo()) {
            add(unit(leading.get(index++)));
        }
        for (AccessUnit unit : edges.tail()) {
            add(unit);
        }
        AccessUnit last = pending;
        long writtenTicks =
                last == null
                        ? leading.get(plan.keptTo() - 1).endDtsTicks()
                        : Math.max(last.dtsTicks() + 1, lastEnd(plan, endTicks));
        finishPart(writtenTicks, material.audio().size());
        out.seal();
        return writtenTicks;
    }

    private void link(int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            Recording.Segment whole = material.source().segments().get(i);
            out.link(whole, material.folder().resolve(whole.fileName()));
        }
    }

    /**
     * Index of the first segment that is kept whole. Not one that audio of the range lies before:
     * it would have to go into a segment without video. Not the clip's first one if it would not
     * start with its first frame, or if audio that the clip leaves out lies in it.
     */
    private int wholeFrom(ClipPlan plan) {
        if (plan.keptFrom() == plan.keptTo() || !material.linkable()) {
            return Integer.MAX_VALUE;
        }
        List<StoredSample> leading = material.leading();
        int segment = leading.get(plan.keptFrom()).segment();
        boolean isCut =
                plan.keptFrom() > 0 && leading.get(plan.keptFrom() - 1).segment() == segment;
        boolean hasAudioBefore = edges.head().isEmpty() && firstAudioIn(segment) > 0;
        boolean hasAudioToCut = edges.head().isEmpty() && material.beside().cutIn() >= segment;
        int from = isCut || hasAudioBefore || hasAudioToCut ? segment + 1 : segment;
        int index = plan.keptFrom();
        while (index < plan.keptTo()
                && (leading.get(index).segment() < from || !continues(plan, index))) {
            from = Math.max(from, leading.get(index).segment() + 1);
            index++;
        }
        return from;
    }

    /** Whether the samples before this one can end where it is decoded. */
    private boolean continues(ClipPlan plan, int index) {
        StoredSample sample = material.leading().get(index);
        int before = edges.head().size() + index - plan.keptFrom();
        long firstTicks =
                edges.head().isEmpty()
                        ? material.leading().get(plan.keptFrom()).ptsTicks()
                        : edges.head().getFirst().ptsTicks();
        return sample.dtsTicks() >= firstTicks + before * SHORT_TICKS;
    }

    /**
     * Behind the last segment that is kept whole, by the same rules at the other end: not the last
     * one if it ends before its last frame.
     */
    private int wholeTo(ClipPlan plan) {
        if (plan.keptFrom() == plan.keptTo() || !material.linkable()) {
            return Integer.MAX_VALUE;
        }
        List<StoredSample> leading = material.leading();
        int segment = leading.get(plan.keptTo() - 1).segment();
        boolean isCut =
                plan.keptTo() < leading.size() && leading.get(plan.keptTo()).segment() == segment;
        boolean hasAudioBehind =
                edges.tail().isEmpty() && firstAudioIn(segment + 1) < material.audio().size();
        boolean isShort =
                edges.tail().isEmpty()
                        && presentedUntil(plan) > leading.get(plan.keptTo() - 1).endDtsTicks();
        boolean hasAudioToCut = material.followed() && material.beside().cutOut() <= segment;
        return isCut || hasAudioBehind || isShort || hasAudioToCut ? segment : segment + 1;
    }

    /** Where the kept sample that is presented last ends: with the presentation of the next. */
    private long presentedUntil(ClipPlan plan) {
        List<StoredSample> leading = material.leading();
        long lastPts = Long.MIN_VALUE;
        for (StoredSample sample : leading.subList(plan.keptFrom(), plan.keptTo())) {
            lastPts = Math.max(lastPts, sample.ptsTicks());
        }
        return presentedUntil(leading, lastPts);
    }

    /** Where a frame of a range ends, in its source: with the presentation of the next. */
    static long presentedUntil(List<StoredSample> leading, long lastPts) {
        long nextPts = Long.MAX_VALUE;
        long previousPts = Long.MIN_VALUE;
        for (StoredSample sample : leading) {
            if (sample.ptsTicks() > lastPts) {
                nextPts = Math.min(nextPts, sample.ptsTicks());
            } else if (sample.ptsTicks() < lastPts) {
                previousPts = Math.max(previousPts, sample.ptsTicks());
            }
        }
        if (nextPts < Long.MAX_VALUE) {
            return nextPts;
        }
        long endTicks = leading.getLast().endDtsTicks();
        // Earlier versions stored a recording's last sample without its delay.
        return previousPts == Long.MIN_VALUE
                ? endTicks
                : Math.max(endTicks, 2 * lastPts - previousPts);
    }

    private int firstAudioIn(int segment) {
        int index = 0;
        while (index < material.audio().size() && material.audio().get(index).segment() < segment) {
            index++;
        }
        return index;
    }

    private AccessUnit unit(StoredSample sample) throws IOException {
        return reader.unit(material.lead(), sample);
    }

    /** The last sample lasts until the last frame has been presented, at most to the end. */
    private long lastEnd(ClipPlan plan, long endTicks) {
        boolean endsWithKept = edges.tail().isEmpty() && plan.keptTo() > plan.keptFrom();
        return endsWithKept ? Math.min(endTicks, presentedUntil(plan)) : endTicks;
    }

    /** Adds a unit, which completes the sample before it. */
    private void add(AccessUnit unit) throws IOException {
        AccessUnit last = pending;
        if (last == null) {
            pending = begun ? unit : unit.at(unit.track(), unit.ptsTicks(), 0);
            begun = true;
            return;
        }
        AccessUnit next = unit;
        if (unit.dtsTicks() <= last.dtsTicks()) {
            boolean isAhead = last.dtsTicks() - unit.dtsTicks() > SHORT_TICKS;
            long dts = last.dtsTicks() + (isAhead ? SHORT_TICKS : 1);
            next = unit.at(unit.track(), dts, Math.toIntExact(unit.ptsTicks() - dts));
        }
        part.add(new Fragment.Sample(last, next.dtsTicks() - last.dtsTicks()));
        pending = next;
        long partUs = next.dtsUs() - part.getFirst().unit().dtsUs();
        boolean startsSegment = next.idr() && segmentUs + partUs >= SEGMENT_US;
        if (startsSegment || partUs >= FRAGMENT_US) {
            writePart(next.dtsUs(), audioBefore(next.dtsUs()));
        }
        if (startsSegment) {
            out.seal();
            segmentUs = 0;
        }
    }

    /** Ends a run of units: the last one lasts to a time. */
    private void finishPart(long endTicks, int audioTo) throws IOException {
        AccessUnit last = pending;
        pending = null;
        if (last != null) {
            long duration = Math.max(1, endTicks - last.dtsTicks());
            part.add(new Fragment.Sample(last, duration));
            long endUs = last.track().timescale().toUs(last.dtsTicks() + duration);
            writePart(endUs, audioTo);
        }
        segmentUs = 0;
    }

    private int audioBefore(long timeUs) {
        int index = nextAudio;
        while (index < material.audio().size() && audioUs(material.audio().get(index)) < timeUs) {
            index++;
        }
        return index;
    }

    private long audioUs(StoredSample sample) {
        return material.tracks().getLast().timescale().toUs(sample.dtsTicks());
    }

    private void writePart(long endUs, int audioTo) throws IOException {
        List<Fragment.Run> runs = new ArrayList<>(2);
        runs.add(new Fragment.Run(material.lead(), part));
        if (audioTo > nextAudio) {
            Track track = material.tracks().getLast();
            List<Fragment.Sample> audio = new ArrayList<>(audioTo - nextAudio);
            for (StoredSample sample : material.audio().subList(nextAudio, audioTo)) {
                audio.add(new Fragment.Sample(reader.unit(track, sample), sample.durationTicks()));
            }
            runs.add(new Fragment.Run(track, audio));
            nextAudio = audioTo;
        }
        long startUs = part.getFirst().unit().dtsUs();
        out.fragment(runs, startUs, endUs - startUs);
        segmentUs += endUs - startUs;
        part.clear();
    }
}
