package touchline.packager.clip;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.isobmff.InitReader;
import touchline.packager.record.AssetClock;
import touchline.packager.record.Recording;

/** Cuts the part of a range that lies in one {@link AssetClock.Range}. One thread, used once. */
final class RangeCutter {
    private final Recording source;
    private final Path folder;
    private final AssetClock.Range range;
    private final ClipWriter writer;
    private final GopReencoder encoder;
    private final InitReader init;
    private final List<Track> tracks = new ArrayList<>();

    RangeCutter(
            Recording source,
            Path folder,
            AssetClock.Range range,
            ClipWriter writer,
            GopReencoder encoder)
            throws IOException {
        this.source = source;
        this.folder = folder;
        this.range = range;
        this.writer = writer;
        this.encoder = encoder;
        this.init = ClipCutter.readInit(folder, segment(range.from()).init());
        for (InitReader.TrackHead head : init.tracks()) {
            tracks.add(head.track());
        }
    }

    /**
     * What to cut, in media time; nothing is shown at the end.
     *
     * @param orShown if no frame starts in it, the clip shows the frame that is shown at its start
     */
    record Times(long startUs, long endUs, boolean orShown) {}

    /**
     * Appends it to the clip; false if it does not start with the requested frame.
     *
     * @throws EmptyRangeException when it shows nothing; the clip is unchanged
     */
    boolean cut(Times times) throws IOException, InterruptedException {
        long startUs = times.startUs();
        long endUs = times.endUs();
        int to = behind(endUs);
        int from = startOf(startUs, to);
        StoredSamples samples = StoredSamples.read(source, folder, init, from, to);
        boolean video = !samples.video().isEmpty();
        List<StoredSample> leading = video ? samples.video() : samples.audio();
        Timescale timescale = ClipCutter.timescale(init, video);
        long endTicks = ticksUp(timescale, endUs);
        long startTicks = ticksUp(timescale, startUs);
        if (times.orShown()) {
            startTicks = ClipPlan.firstTicks(leading, startTicks, endTicks);
        }
        ClipPlan plan = ClipPlan.of(leading, startTicks, endTicks);
        BoundaryGops edges = BoundaryGops.encode(plan, leading, lead(video), encoder);
        AudioCut audio =
                video
                        ? audio(samples.audio(), edges.plan().firstPtsUs(leading, timescale), endUs)
                        : AudioCut.NONE;
        RangeWriter.Material material =
                new RangeWriter.Material(source, folder, tracks(edges), leading, audio);
        Recording.Init head = origin();
        writer.init(material.tracks(), head.startUs(), head.startedAt());
        try (SampleReader reader = new SampleReader()) {
            new RangeWriter(material, edges, writer, reader)
                    .write(ticksUp(timescale, endUs + ClipCutter.TOLERANCE_US));
        }
        return edges.plan().equals(plan);
    }

    /**
     * Audio beside the frames. None starts before the first frame: players take the earliest sample
     * as the clip's start.
     *
     * @param samples from the first frame on, up to the end
     * @param cutIn index of the last segment with audio before the first frame; -1 if there is none
     */
    record AudioCut(List<StoredSample> samples, int cutIn) {
        private static final AudioCut NONE = new AudioCut(List.of(), -1);
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
        return new AudioCut(all.subList(from, to), from == 0 ? -1 : all.get(from - 1).segment());
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

    /** The source's tracks; frames with the parameter sets of the edges beside their own. */
    private List<Track> tracks(BoundaryGops edges) {
        Optional<CodecConfig> merged = edges.configuration();
        if (merged.isEmpty()) {
            return tracks;
        }
        return tracks.stream()
                .map(
                        track ->
                                track.isVideo()
                                        ? new Track(track.id(), track.timescale(), merged.get())
                                        : track)
                .toList();
    }

    private Recording.Init origin() {
        int number = segment(range.from()).init();
        for (Recording.Init each : source.inits()) {
            if (each.number() == number) {
                return each;
            }
        }
        throw new MalformedMediaException("index without init " + number);
    }

    private Recording.Segment segment(int index) {
        return source.segments().get(index);
    }

    /** The first tick at a time or behind it. */
    static long ticksUp(Timescale timescale, long us) {
        return Math.ceilDiv(us * timescale.ticksPerSecond(), 1_000_000L);
    }
}
