package touchline.packager.clip;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.ffmpeg.AudioSettings;
import touchline.media.transcode.UniformAudio;
import touchline.media.transcode.UniformVideo;
import touchline.packager.isobmff.Fragment;
import touchline.packager.isobmff.InitReader;
import touchline.packager.record.AssetClock;
import touchline.packager.record.Recording;

/**
 * Copies a recording whose timelines differ in their formats into one of a single format, that of
 * its first frame and its first audio: everything is encoded again. Times are the asset's ({@link
 * AssetClock}). Decodes untrusted media, so it runs in a worker process. One platform thread, used
 * once.
 */
public final class UniformCopy {
    private static final long FRAGMENT_US = 2_000_000;

    /** Sample frames of an AAC-LC unit. */
    private static final int UNIT_FRAMES = 1_024;

    private static final int MAX_CHANNELS = 2;
    private static final int BPS_PER_CHANNEL = 96_000;
    private static final int MIN_RATE_HZ = 8_000;
    private static final int MAX_RATE_HZ = 96_000;
    private static final int STANDARD_RATE_HZ = 48_000;

    private final Recording source;
    private final Path sourceFolder;
    private final ScaledCopy.Settings settings;
    private final DoubleConsumer progress;

    // Encoded and not yet written.
    private final List<AccessUnit> frames = new ArrayList<>();
    private final List<AccessUnit> audioUnits = new ArrayList<>();

    private boolean begun;
    private long writtenUs;

    /**
     * @param source finished
     * @param sourceFolder its files
     * @param progress called often, from 0 to 1
     */
    public UniformCopy(
            Recording source,
            Path sourceFolder,
            ScaledCopy.Settings settings,
            DoubleConsumer progress) {
        this.source = source;
        this.sourceFolder = sourceFolder;
        this.settings = settings;
        this.progress = progress;
    }

    /** The encoders; null where the recording has no such media. */
    private record Encoders(@Nullable UniformVideo video, @Nullable UniformAudio audio)
            implements AutoCloseable {
        @Override
        public void close() {
            if (video != null) {
                video.close();
            }
            if (audio != null) {
                audio.close();
            }
        }
    }

    /**
     * Writes it.
     *
     * @param folder made; left behind without an index where this throws
     * @throws touchline.media.codec.MalformedMediaException when frames cannot be decoded, or the
     *     recording is not what its index says
     */
    public Recording write(Path folder) throws IOException {
        AssetClock clock = AssetClock.of(source, sourceFolder);
        try (ClipWriter writer = new ClipWriter(folder);
                SampleReader reader = new SampleReader();
                Encoders encoders = encoders(clock)) {
            for (AssetClock.Range range : clock.ranges()) {
                copy(range, clock.shiftUs(range), encoders, writer, reader);
            }
            if (encoders.video() != null) {
                add(encoders.video().finish(), writer, encoders);
            }
            if (encoders.audio() != null) {
                audioUnits.addAll(encoders.audio().finish(clock.durationUs()));
            }
            flush(clock.durationUs(), Long.MAX_VALUE, writer, encoders);
            return writer.finish();
        }
    }

    private Encoders encoders(AssetClock clock) throws IOException {
        Optional<InitReader.TrackHead> video = Optional.empty();
        Optional<InitReader.TrackHead> audio = Optional.empty();
        int videoFrom = 0;
        for (AssetClock.Range range : clock.ranges()) {
            for (InitReader.TrackHead head :
                    ClipCutter.readInit(sourceFolder, range.init()).tracks()) {
                if (head.video() && video.isEmpty()) {
                    video = Optional.of(head);
                    videoFrom = range.from();
                } else if (!head.video() && audio.isEmpty()) {
                    audio = Optional.of(head);
                }
            }
        }
        UniformVideo frameEncoder =
                video.isPresent() ? new UniformVideo(settings(video.get(), videoFrom)) : null;
        return new Encoders(
                frameEncoder,
                audio.isPresent() ? UniformAudio.open(settings(audio.get().track())) : null);
    }

    private UniformVideo.Settings settings(InitReader.TrackHead framed, int segment)
            throws IOException {
        return new UniformVideo.Settings(
                settings.maxShorterSide(),
                ScaledCopy.bitrateBps(source, framed, settings.maxShorterSide()),
                ScaledCopy.frameRate(source, sourceFolder, segment),
                settings.encoder(),
                settings.threads());
    }

    private static AudioSettings settings(Track track) {
        int rateHz = track.timescale().ticksPerSecond();
        int used = Math.clamp(track.codec().audioChannels(), 1, MAX_CHANNELS);
        return new AudioSettings(
                rateHz >= MIN_RATE_HZ && rateHz <= MAX_RATE_HZ ? rateHz : STANDARD_RATE_HZ,
                used,
                BPS_PER_CHANNEL * used);
    }

    private void copy(
            AssetClock.Range range,
            long shiftUs,
            Encoders encoders,
            ClipWriter writer,
            SampleReader reader)
            throws IOException {
        InitReader init = ClipCutter.readInit(sourceFolder, range.init());
        Optional<Track> video = Optional.empty();
        Optional<Track> audio = Optional.empty();
        for (InitReader.TrackHead head : init.tracks()) {
            if (head.video() && encoders.video() != null) {
                video = Optional.of(head.track());
                add(encoders.video().begin(head.track()), writer, encoders);
            } else if (!head.video() && encoders.audio() != null) {
                audio = Optional.of(head.track());
                audioUnits.addAll(
                        encoders.audio().begin(head.track(), range.startUs(), range.endUs()));
            }
        }
        for (int i = range.from(); i < range.to(); i++) {
            StoredSamples samples = StoredSamples.read(source, sourceFolder, init, i, i + 1);
            if (audio.isPresent() && encoders.audio() != null) {
                for (StoredSample sample : samples.audio()) {
                    audioUnits.addAll(
                            encoders.audio().add(unit(audio.get(), sample, shiftUs, reader)));
                }
            }
            if (video.isPresent() && encoders.video() != null) {
                for (StoredSample sample : samples.video()) {
                    AccessUnit unit = unit(video.get(), sample, shiftUs, reader);
                    add(encoders.video().add(unit), writer, encoders);
                }
            } else {
                Recording.Segment segment = source.segments().get(i);
                flush(segment.startUs() - shiftUs, segment.startUs() - shiftUs, writer, encoders);
            }
            progress.accept((i + 1.0) / source.segments().size());
        }
    }

    /** A stored sample in asset time. */
    private static AccessUnit unit(
            Track track, StoredSample sample, long shiftUs, SampleReader reader)
            throws IOException {
        return reader.unit(track, sample.shifted(-ticks(track.timescale(), shiftUs)));
    }

    /** The nearest tick: stored times are in microseconds, rounded down. */
    private static long ticks(Timescale timescale, long us) {
        return Math.floorDiv(us * timescale.ticksPerSecond() + 500_000, 1_000_000L);
    }

    /** A key frame behind enough of them begins another fragment, and a segment. */
    private void add(List<AccessUnit> units, ClipWriter writer, Encoders encoders)
            throws IOException {
        for (AccessUnit unit : units) {
            boolean isFull =
                    !frames.isEmpty()
                            && unit.idr()
                            && unit.dtsUs() - frames.getFirst().dtsUs() >= FRAGMENT_US / 2;
            if (isFull) {
                flush(unit.dtsUs(), unit.dtsUs(), writer, encoders);
            }
            frames.add(unit);
        }
    }

    /**
     * @param endUs where the last frame's decode time ends
     * @param audioUs audio before this goes with the frames
     */
    private void flush(long endUs, long audioUs, ClipWriter writer, Encoders encoders)
            throws IOException {
        List<Fragment.Run> runs = new ArrayList<>(2);
        List<Track> tracks = new ArrayList<>(2);
        if (!frames.isEmpty()) {
            Track track = frames.getFirst().track();
            tracks.add(track);
            runs.add(new Fragment.Run(track, samples(frames, ticks(track.timescale(), endUs))));
        }
        if (encoders.audio() != null) {
            Track track = encoders.audio().track();
            tracks.add(track);
            long before = audioUs == Long.MAX_VALUE ? audioUs : ticks(track.timescale(), audioUs);
            int count = 0;
            while (count < audioUnits.size() && audioUnits.get(count).dtsTicks() < before) {
                count++;
            }
            List<AccessUnit> with = audioUnits.subList(0, count);
            if (count > 0 && (!frames.isEmpty() || encoders.video() == null)) {
                AccessUnit last = with.getLast();
                runs.add(new Fragment.Run(track, samples(with, last.dtsTicks() + UNIT_FRAMES)));
                with.clear();
            }
        }
        if (runs.isEmpty()) {
            return;
        }
        if (!begun) {
            begun = true;
            writer.init(tracks, /* startUs= */ 0, source.inits().getFirst().startedAt());
        }
        writer.fragment(runs, writtenUs, Math.max(1, endUs - writtenUs));
        writer.seal();
        writtenUs = endUs;
        frames.clear();
    }

    private static List<Fragment.Sample> samples(List<AccessUnit> units, long endTicks) {
        List<Fragment.Sample> samples = new ArrayList<>(units.size());
        for (int i = 0; i < units.size(); i++) {
            long next = i + 1 < units.size() ? units.get(i + 1).dtsTicks() : endTicks;
            samples.add(
                    new Fragment.Sample(units.get(i), Math.max(1, next - units.get(i).dtsTicks())));
        }
        return samples;
    }
}
