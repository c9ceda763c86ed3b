package touchline.packager.clip;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.transcode.UniformVideo;
import touchline.packager.isobmff.Fragment;
import touchline.packager.isobmff.InitReader;
import touchline.packager.record.Recording;

/**
 * Copies a recording with smaller frames into a folder of its own: video is encoded again, audio is
 * copied. Decodes untrusted media, so it runs in a worker process. One platform thread, used once.
 */
public final class ScaledCopy {
    private static final long FRAGMENT_US = 2_000_000;
    private static final int MIN_BITRATE_BPS = 1_500_000;
    private static final int MAX_BITRATE_BPS = 8_000_000;

    /** Other codecs than H.264 need fewer bits for the same frame. */
    private static final double NEWER_CODEC = 1.5;

    private static final int RATE_DENOMINATOR = 1_000;

    private final Recording source;
    private final Path sourceFolder;
    private final Settings settings;
    private final DoubleConsumer progress;

    // State of the current run of segments.
    private final List<AccessUnit> frames = new ArrayList<>();
    private final List<StoredSample> audioSamples = new ArrayList<>();
    private Optional<Track> audio = Optional.empty();
    private Recording.@Nullable Init head;
    private boolean begun;

    /** Start of the first fragment in the index: the source's, also if it is decoded earlier. */
    private long startUs;

    /**
     * @param maxShorterSide of the new frames, in pixels
     * @param threads of decoder and encoder each, 1 to 16
     */
    public record Settings(int maxShorterSide, H264Encoder encoder, int threads) {}

    /**
     * @param source finished
     * @param sourceFolder its files
     * @param progress called often, from 0 to 1
     */
    public ScaledCopy(
            Recording source, Path sourceFolder, Settings settings, DoubleConsumer progress) {
        this.source = source;
        this.sourceFolder = sourceFolder;
        this.settings = settings;
        this.progress = progress;
    }

    /**
     * Writes it.
     *
     * @param folder made; left behind without an index where this throws
     * @throws MalformedMediaException when frames cannot be decoded, or the recording is not what
     *     its index says
     */
    public Recording write(Path folder) throws IOException {
        List<Recording.Segment> segments = source.segments();
        try (ClipWriter writer = new ClipWriter(folder);
                SampleReader reader = new SampleReader()) {
            int from = 0;
            while (from < segments.size()) {
                int to = from + 1;
                while (to < segments.size()
                        && segments.get(to).init() == segments.get(from).init()) {
                    to++;
                }
                copySegments(from, to, writer, reader);
                from = to;
            }
            return writer.finish();
        }
    }

    /** Segments that are decoded with the same init segment. */
    private void copySegments(int from, int to, ClipWriter writer, SampleReader reader)
            throws IOException {
        int number = source.segments().get(from).init();
        InitReader init = ClipCutter.readInit(sourceFolder, number);
        Optional<Track> video = track(init, /* video= */ true);
        audio = track(init, /* video= */ false);
        head = source.inits().stream().filter(i -> i.number() == number).findFirst().orElseThrow();
        begun = false;
        startUs = source.segments().get(from).startUs();
        if (video.isEmpty()) {
            copyAudio(from, to, init, writer, reader);
            return;
        }
        try (UniformVideo downscaler = new UniformVideo(scaled(init, from))) {
            downscaler.begin(video.get());
            for (int i = from; i < to; i++) {
                StoredSamples samples = StoredSamples.read(source, sourceFolder, init, i, i + 1);
                audioSamples.addAll(samples.audio());
                for (StoredSample sample : samples.video()) {
                    for (AccessUnit unit : downscaler.add(reader.unit(video.get(), sample))) {
                        add(unit, writer, reader);
                    }
                }
                progress.accept((i + 1.0) / source.segments().size());
            }
            for (AccessUnit unit : downscaler.finish()) {
                add(unit, writer, reader);
            }
        }
        Recording.Segment last = source.segments().get(to - 1);
        flush(last.startUs() + last.durationUs(), Long.MAX_VALUE, writer, reader);
    }

    /** Segments of audio alone: their frames stayed away. */
    private void copyAudio(
            int from, int to, InitReader init, ClipWriter writer, SampleReader reader)
            throws IOException {
        Track track = audio.orElseThrow(() -> new MalformedMediaException("init without tracks"));
        Recording.Init start = segmentsInit();
        writer.init(List.of(track), start.startUs(), start.startedAt());
        for (int i = from; i < to; i++) {
            Recording.Segment segment = source.segments().get(i);
            audioSamples.addAll(StoredSamples.read(source, sourceFolder, init, i, i + 1).audio());
            List<Fragment.Sample> all = audioBefore(Long.MAX_VALUE, reader);
            if (!all.isEmpty()) {
                writer.fragment(
                        List.of(new Fragment.Run(track, all)),
                        segment.startUs(),
                        segment.durationUs());
                writer.seal();
            }
            progress.accept((i + 1.0) / source.segments().size());
        }
    }

    private Recording.Init segmentsInit() {
        Recording.Init from = head;
        if (from == null) {
            throw new IllegalStateException("no segments have begun");
        }
        return from;
    }

    private static Optional<Track> track(InitReader init, boolean video) {
        return init.tracks().stream()
                .filter(track -> track.video() == video)
                .findFirst()
                .map(InitReader.TrackHead::track);
    }

    /** A key frame behind enough of them begins another fragment, and a segment. */
    private void add(AccessUnit unit, ClipWriter writer, SampleReader reader) throws IOException {
        boolean isFull =
                !frames.isEmpty()
                        && unit.idr()
                        && unit.dtsUs() - frames.getFirst().dtsUs() >= FRAGMENT_US / 2;
        if (isFull) {
            flush(unit.dtsUs(), unit.dtsUs(), writer, reader);
        }
        frames.add(unit);
    }

    /**
     * @param endUs where the last frame's decode time ends
     * @param audioUs audio before this goes with the frames
     */
    private void flush(long endUs, long audioUs, ClipWriter writer, SampleReader reader)
            throws IOException {
        if (frames.isEmpty()) {
            return;
        }
        Track video = frames.getFirst().track();
        if (!begun) {
            begun = true;
            List<Track> tracks = new ArrayList<>(List.of(video));
            audio.ifPresent(tracks::add);
            Recording.Init from = segmentsInit();
            writer.init(tracks, from.startUs(), from.startedAt());
        }
        List<Fragment.Run> runs = new ArrayList<>(2);
        runs.add(new Fragment.Run(video, samples(Timescale.VIDEO.fromUs(endUs))));
        List<Fragment.Sample> with = audioBefore(audioUs, reader);
        if (!with.isEmpty()) {
            runs.add(new Fragment.Run(audio.orElseThrow(), with));
        }
        writer.fragment(runs, startUs, Math.max(1, endUs - startUs));
        writer.seal();
        startUs = endUs;
        frames.clear();
    }

    private List<Fragment.Sample> samples(long endTicks) {
        List<Fragment.Sample> samples = new ArrayList<>(frames.size());
        long duration = 1;
        for (int i = 0; i < frames.size(); i++) {
            AccessUnit unit = frames.get(i);
            boolean isLast = i + 1 == frames.size();
            long next = isLast ? endTicks : frames.get(i + 1).dtsTicks();
            // Decoded later than in the source, the last of all may end behind it: as those before.
            duration = next > unit.dtsTicks() || !isLast ? next - unit.dtsTicks() : duration;
            samples.add(new Fragment.Sample(unit, Math.max(1, duration)));
        }
        return samples;
    }

    private List<Fragment.Sample> audioBefore(long timeUs, SampleReader reader) throws IOException {
        List<Fragment.Sample> taken = new ArrayList<>();
        int count = 0;
        for (StoredSample sample : audioSamples) {
            Track track = audio.orElseThrow();
            if (track.timescale().toUs(sample.dtsTicks()) >= timeUs) {
                break;
            }
            taken.add(new Fragment.Sample(reader.unit(track, sample), sample.durationTicks()));
            count++;
        }
        audioSamples.subList(0, count).clear();
        return taken;
    }

    private UniformVideo.Settings scaled(InitReader init, int index) throws IOException {
        InitReader.TrackHead framed =
                init.tracks().stream()
                        .filter(InitReader.TrackHead::video)
                        .findFirst()
                        .orElseThrow();
        return new UniformVideo.Settings(
                settings.maxShorterSide(),
                bitrateBps(source, framed, settings.maxShorterSide()),
                frameRate(source, sourceFolder, index),
                settings.encoder(),
                settings.threads());
    }

    /** Nominal rate, by the frames of a segment. */
    static FrameRate frameRate(Recording source, Path folder, int index) throws IOException {
        Recording.Segment segment = source.segments().get(index);
        InitReader init = ClipCutter.readInit(folder, segment.init());
        StoredSamples samples = StoredSamples.read(source, folder, init, index, index + 1);
        double seconds = Math.max(0.001, segment.durationUs() / 1e6);
        int rate =
                (int) Math.max(1, Math.round(samples.video().size() / seconds * RATE_DENOMINATOR));
        return new FrameRate(rate, RATE_DENOMINATOR);
    }

    /** As many bits a pixel as the source has. */
    static int bitrateBps(Recording source, InitReader.TrackHead framed, int maxShorterSide) {
        long bytes = 0;
        for (Recording.Segment segment : source.segments()) {
            bytes += segment.place().sizeBytes();
        }
        double bps = bytes * 8e6 / Math.max(1, source.durationUs());
        double shorter = Math.max(1, Math.min(framed.width(), framed.height()));
        double area = Math.pow(Math.min(1, maxShorterSide / shorter), 2);
        double codec = framed.track().codec() instanceof CodecConfig.Avc ? 1 : NEWER_CODEC;
        return (int) Math.clamp(bps * area * codec, MIN_BITRATE_BPS, MAX_BITRATE_BPS);
    }
}
