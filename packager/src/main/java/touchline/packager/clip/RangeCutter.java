package touchline.packager.clip;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.isobmff.InitReader;
import touchline.packager.record.AssetClock;
import touchline.packager.record.Recording;

/**
 * Cuts the part of a range that lies in one {@link AssetClock.Range}. One thread at a time, used
 * once.
 */
final class RangeCutter {
    private final Recording source;
    private final Path folder;
    private final AssetClock.Range range;
    private final Clip clip;
    private final InitReader init;
    private final List<Track> tracks = new ArrayList<>();

    /**
     * What all ranges of a clip share.
     *
     * @param joins see {@link ClipTimeline}
     * @param silence for ranges without audio; empty if none gets any
     * @param together both edges of a range are encoded at the same time
     */
    record Clip(
            GopReencoder encoder,
            boolean joins,
            Optional<StoredSilence> silence,
            boolean together) {}

    RangeCutter(ClipCutter.Source source, AssetClock.Range range, Clip clip) throws IOException {
        this.source = source.recording();
        this.folder = source.folder();
        this.range = range;
        this.clip = clip;
        this.init = ClipCutter.readInit(folder, segment(range.from()).init());
        for (InitReader.TrackHead head : init.tracks()) {
            tracks.add(head.track());
        }
    }

    /**
     * What to cut, in media time; nothing is shown at the end.
     *
     * @param orShown if no frame starts in it, the clip shows the frame that is shown at its start
     * @param followed another range comes behind this one
     */
    record Times(long startUs, long endUs, boolean orShown, boolean followed) {}

    /**
     * A range whose edges are encoded.
     *
     * @param leading samples that the plan was made of
     * @param audio beside them; none where audio leads
     * @param sets the configuration's, with those of the edges; empty if no edge can be encoded
     * @param silence instead of audio
     */
    private record Ready(
            Times times,
            ClipPlan plan,
            boolean video,
            List<StoredSample> leading,
            List<StoredSample> audio,
            BoundaryGops edges,
            Optional<ParameterSets> sets,
            Optional<StoredSilence> silence) {}

    private @Nullable Ready ready;

    /**
     * What was appended.
     *
     * @param exact it starts with the requested frame
     * @param firstUs media time of its first frame, in the source
     */
    record Appended(boolean exact, long firstUs) {}

    /**
     * Plans the range, and has its edges encoded.
     *
     * @throws EmptyRangeException when it shows nothing
     */
    void prepare(Times times) throws IOException, InterruptedException {
        int to = behind(times.endUs());
        int from = startOf(times.startUs(), to);
        StoredSamples samples = StoredSamples.read(source, folder, init, from, to);
        boolean video = !samples.video().isEmpty();
        List<StoredSample> leading = video ? samples.video() : samples.audio();
        Timescale timescale = ClipCutter.timescale(init, video);
        long endTicks = ticksUp(timescale, times.endUs());
        long startTicks = ticksUp(timescale, times.startUs());
        if (times.orShown()) {
            startTicks = ClipPlan.firstTicks(leading, startTicks, endTicks);
        }
        ClipPlan plan = ClipPlan.of(leading, startTicks, endTicks);
        List<StoredSample> audio = video ? samples.audio() : List.of();
        boolean isSilent =
                video
                        && audio(audio, firstUs(plan, leading, timescale), times.endUs())
                                .samples()
                                .isEmpty();
        Optional<ParameterSets> sets = BoundaryGops.parameterSets(lead(video), clip.joins());
        BoundaryGops edges =
                BoundaryGops.encode(
                        plan, leading, lead(video), sets, clip.encoder(), clip.together());
        ready =
                new Ready(
                        times,
                        plan,
                        video,
                        leading,
                        audio,
                        edges,
                        sets,
                        isSilent ? clip.silence() : Optional.empty());
    }

    /** Appends the prepared range to the clip. */
    Appended append(ClipTimeline out) throws IOException, InterruptedException {
        Ready prepared = ready;
        if (prepared == null) {
            throw new IllegalStateException("range is not prepared");
        }
        List<StoredSample> leading = prepared.leading();
        Timescale timescale = ClipCutter.timescale(init, prepared.video());
        Optional<StoredSilence> silence = prepared.silence();
        ClipTimeline.Joint joint =
                out.next(
                        silence.map(added -> List.of(lead(true), added.track())).orElse(tracks),
                        prepared.sets());
        BoundaryGops edges = prepared.edges();
        if (!joint.fits()) {
            edges =
                    BoundaryGops.encode(
                            prepared.plan(),
                            leading,
                            lead(prepared.video()),
                            joint.sets(),
                            clip.encoder(),
                            clip.together());
        }
        long firstUs = firstUs(edges.plan(), leading, timescale);
        long lastTicks =
                clip.joins()
                        ? edges.presentedUntil(leading)
                        : ticksUp(timescale, prepared.times().endUs() + ClipCutter.TOLERANCE_US);
        long endUs = clip.joins() ? timescale.toUs(lastTicks) : prepared.times().endUs();
        AudioCut audio =
                silence.isPresent()
                        ? silence.get().cut(firstUs, endUs)
                        : audio(prepared.audio(), firstUs, endUs);
        ClipTimeline.Place place =
                out.begin(joint, edges.plan().firstPtsTicks(leading), origin(), silence.isEmpty());
        long shift = place.shiftTicks();
        boolean followed = prepared.times().followed();
        RangeWriter.Material material =
                new RangeWriter.Material(
                        source,
                        folder,
                        place.tracks(),
                        shifted(leading, shift),
                        audio.placed(place.audioShiftTicks(), place.audioTicks(endUs), followed),
                        place.linkable(),
                        followed);
        try (SampleReader reader = new SampleReader()) {
            out.end(
                    new RangeWriter(material, edges.shifted(shift), out.writer(), reader)
                            .write(lastTicks + shift));
        }
        return new Appended(edges.plan().equals(prepared.plan()), firstUs);
    }

    private static long firstUs(ClipPlan plan, List<StoredSample> leading, Timescale timescale) {
        return timescale.toUs(plan.firstPtsTicks(leading));
    }

    private static List<StoredSample> shifted(List<StoredSample> samples, long ticks) {
        return ticks == 0
                ? samples
                : samples.stream().map(sample -> sample.shifted(ticks)).toList();
    }

    /**
     * Audio beside the frames. None starts before the first frame: players take the earliest sample
     * as the clip's start.
     *
     * @param samples from the first frame on, up to the end
     * @param cutIn index of the last segment with audio before the first frame; -1 if there is none
     * @param cutOut index of the first segment with audio behind the end; {@link Integer#MAX_VALUE}
     *     if there is none
     */
    record AudioCut(List<StoredSample> samples, int cutIn, int cutOut) {
        private static final AudioCut NONE = new AudioCut(List.of(), -1, Integer.MAX_VALUE);

        /**
         * The same on the clip's timeline.
         *
         * @param endTicks in the source
         * @param followed whether the last sample ends there at the latest
         */
        AudioCut placed(long shiftTicks, long endTicks, boolean followed) {
            List<StoredSample> placed =
                    samples.stream()
                            .map(sample -> followed ? sample.until(endTicks) : sample)
                            .map(sample -> sample.shifted(shiftTicks))
                            .toList();
            return new AudioCut(placed, cutIn, cutOut);
        }
    }

    private AudioCut audio(List<StoredSample> all, long firstUs, long endUs) {
        if (all.isEmpty()) {
            return AudioCut.NONE;
        }
        Timescale timescale = ClipCutter.timescale(init, /* video= */ false);
        long start = ticksUp(timescale, firstUs);
        long end = ticksUp(timescale, endUs);
        int from = 0;
        while (from < all.size() && all.get(from).ptsTicks() < start) {
            from++;
        }
        int to = from;
        while (to < all.size() && all.get(to).ptsTicks() < end) {
            to++;
        }
        return new AudioCut(
                all.subList(from, to),
                from == 0 ? -1 : all.get(from - 1).segment(),
                to == all.size() ? Integer.MAX_VALUE : all.get(to).segment());
    }

    /** Index behind the last segment that may hold something: audio comes up to one late. */
    private int behind(long endUs) {
        int to = range.from();
        while (to < range.to() && segment(to).startUs() < endUs) {
            to++;
        }
        return Math.min(range.to(), to + 1);
    }

    /** Index of the segment with the key frame that the first frame depends on. */
    private int startOf(long startUs, int to) throws IOException {
        int from = range.from();
        while (from + 1 < to && segment(from + 1).startUs() <= startUs) {
            from++;
        }
        while (from > range.from() && !hasKeyFrame(from, startUs)) {
            from--;
        }
        return from;
    }

    private boolean hasKeyFrame(int index, long startUs) throws IOException {
        StoredSamples samples = StoredSamples.read(source, folder, init, index, index + 1);
        boolean video = !samples.video().isEmpty();
        List<StoredSample> leading = video ? samples.video() : samples.audio();
        long startTicks = ticksUp(ClipCutter.timescale(init, video), startUs);
        return leading.stream().anyMatch(s -> s.sync() && s.ptsTicks() <= startTicks);
    }

    private Track lead(boolean video) {
        for (Track track : tracks) {
            if (track.isVideo() == video) {
                return track;
            }
        }
        throw new MalformedMediaException("init segment without the track of its samples");
    }

    /** What the range's wall clock counts from. */
    private Recording.Init origin() {
        int number = segment(range.from()).init();
        for (Recording.Init each : source.inits()) {
            if (each.number() == number) {
                return dated(each);
            }
        }
        throw new MalformedMediaException("index without init " + number);
    }

    /** An init's clock, or that of the last jump before the range. */
    private Recording.Init dated(Recording.Init init) {
        int first = range.from();
        return source.dates().isEmpty()
                ? init
                : new Recording.Init(
                        init.number(), segment(first).startUs(), source.wallClocks().get(first));
    }

    private Recording.Segment segment(int index) {
        return source.segments().get(index);
    }

    /** The first tick at a time or behind it. */
    static long ticksUp(Timescale timescale, long us) {
        return Math.ceilDiv(us * timescale.ticksPerSecond(), 1_000_000L);
    }
}
