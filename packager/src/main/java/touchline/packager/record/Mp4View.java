package touchline.packager.record;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.media.Timescale;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.BoxReader.Box;
import touchline.packager.isobmff.FragmentRun;
import touchline.packager.isobmff.InitReader;
import touchline.packager.isobmff.ProgressiveMovie;
import touchline.packager.isobmff.SampleTable;

/**
 * A recording as one progressive MP4 file, computed and not copied: a head, followed by the
 * recorded files. The head is made by reading the headers of all fragments, which takes about 0.1 s
 * for an hour of media in the page cache. Immutable, any thread.
 *
 * @param head everything before the media, read-only
 * @param files the media, in order
 */
public record Mp4View(MemorySegment head, List<FileSlice> files) {
    public Mp4View {
        files = List.copyOf(files);
    }

    /** The first bytes of a recorded file. */
    public record FileSlice(Path file, long sizeBytes) {}

    public long sizeBytes() {
        return head.byteSize() + mediaBytes(files);
    }

    /**
     * Reads a recording's fragments. Blocks.
     *
     * @param folder the recording's
     * @throws MalformedMediaException when there is nothing to show, or a file is not what the
     *     index says
     */
    public static Mp4View of(Recording recording, Path folder) throws IOException {
        if (recording.segments().isEmpty()) {
            throw new MalformedMediaException("recording without segments");
        }
        AssetClock clock = AssetClock.of(recording, folder);
        Builder builder = new Builder(folder, clock.durationUs());
        for (Recording.Init init : recording.inits()) {
            builder.init(init);
        }
        for (AssetClock.Range range : clock.ranges()) {
            builder.range(range, clock.shiftUs(range));
        }
        List<FileSlice> files = slices(recording, folder);
        Map<String, List<Recording.Segment>> byFile = new LinkedHashMap<>();
        for (Recording.Segment segment : recording.segments()) {
            byFile.computeIfAbsent(segment.fileName(), _ -> new ArrayList<>()).add(segment);
        }
        long position = 0;
        int index = 0;
        for (List<Recording.Segment> segments : byFile.values()) {
            builder.file(segments, files.get(index), position);
            position += files.get(index++).sizeBytes();
        }
        return new Mp4View(builder.head(position), files);
    }

    /** The files of a recording, as far as it reaches into them, in order. */
    static List<FileSlice> slices(Recording recording, Path folder) {
        Map<String, FileSlice> last = new LinkedHashMap<>();
        for (Recording.Segment segment : recording.segments()) {
            Recording.Place place = segment.place();
            Path file = folder.resolve(segment.fileName());
            last.put(
                    segment.fileName(),
                    new FileSlice(file, place.offsetBytes() + place.sizeBytes()));
        }
        return List.copyOf(last.values());
    }

    private static long mediaBytes(List<FileSlice> files) {
        long sum = 0;
        for (FileSlice slice : files) {
            sum += slice.sizeBytes();
        }
        return sum;
    }

    /** Gathers the sample tables, whose times are the asset's. One thread. */
    private static final class Builder {
        private static final Timescale MICROSECONDS = new Timescale(1_000_000);

        private final Path folder;
        private final long durationUs;
        private final Map<Integer, Placed> ranges = new HashMap<>();
        private final Map<Integer, InitReader> inits = new LinkedHashMap<>();
        private @Nullable SampleTable video;
        private @Nullable SampleTable audio;
        private ProgressiveMovie.Size size = new ProgressiveMovie.Size(0, 0);
        private Instant created = Instant.EPOCH;

        /** A range of the asset and its media time minus asset time. */
        private record Placed(AssetClock.Range range, long shiftUs) {}

        Builder(Path folder, long durationUs) {
            this.folder = folder;
            this.durationUs = durationUs;
        }

        void range(AssetClock.Range range, long shiftUs) {
            ranges.put(range.init(), new Placed(range, shiftUs));
        }

        void init(Recording.Init init) throws IOException {
            InitReader read = InitReader.read(folder.resolve(init.fileName()));
            if (inits.isEmpty()) {
                created = init.startedAt();
            }
            inits.put(init.number(), read);
            for (InitReader.TrackHead track : read.tracks()) {
                begin(track);
            }
        }

        private void begin(InitReader.TrackHead track) {
            if (track.video() && video == null) {
                video = new SampleTable(true, track.timescale());
                size = new ProgressiveMovie.Size(track.width(), track.height());
            } else if (!track.video() && audio == null) {
                audio = new SampleTable(false, track.timescale());
            }
        }

        /**
         * @param position of the file's first byte in the movie's media
         */
        void file(List<Recording.Segment> segments, FileSlice slice, long position)
                throws IOException {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment bytes = map(slice.file(), arena);
                for (Recording.Segment segment : segments) {
                    Recording.Place place = segment.place();
                    if (place.offsetBytes() + place.sizeBytes() > bytes.byteSize()) {
                        throw new MalformedMediaException(
                                "%s: %d bytes (expected: >= %d)"
                                        .formatted(
                                                segment.fileName(),
                                                bytes.byteSize(),
                                                place.offsetBytes() + place.sizeBytes()));
                    }
                    MemorySegment part = bytes.asSlice(place.offsetBytes(), place.sizeBytes());
                    for (Box box : BoxReader.walk(part)) {
                        if (box.type().equals("moof")) {
                            long moofAt = position + place.offsetBytes() + box.offset();
                            fragment(segment.init(), box, moofAt);
                        }
                    }
                }
            }
        }

        private void fragment(int init, Box moof, long moofAt) {
            InitReader heads = inits.get(init);
            if (heads == null) {
                throw new MalformedMediaException("segment of init " + init + ", which is missing");
            }
            Placed placed = ranges.get(init);
            for (FragmentRun run : FragmentRun.of(moof)) {
                Optional<InitReader.TrackHead> track = heads.track(run.trackId());
                SampleTable table = track.map(found -> found.video() ? video : audio).orElse(null);
                if (table != null && track.isPresent() && placed != null) {
                    add(table, track.get(), run, placed, moofAt + run.dataOffset());
                }
            }
        }

        private void add(
                SampleTable table,
                InitReader.TrackHead track,
                FragmentRun run,
                Placed placed,
                long position) {
            Timescale from = track.timescale();
            long shift = table.ticks(-placed.shiftUs(), MICROSECONDS);
            long decode = run.decodeTicks();
            long at = position;
            boolean begun = false;
            for (int i = 0; i < run.samples(); i++) {
                long duration = run.durationTicks(i);
                long presentation = table.ticks(decode + run.compositionOffsetTicks(i), from);
                if (track.video() || isWithin(placed.range(), table, presentation + shift)) {
                    if (!begun) {
                        begun = true;
                        table.chunk(at, table.entry(track.sampleEntry()));
                    }
                    long start = table.ticks(decode, from);
                    table.sample(
                            start + shift,
                            Math.toIntExact(presentation - start),
                            table.ticks(duration, from),
                            run.sizeBytes(i),
                            run.isSync(i));
                }
                at += run.sizeBytes(i);
                decode += duration;
            }
        }

        /** Audio beside a range's frames would overlap that of its neighbours. */
        private boolean isWithin(AssetClock.Range range, SampleTable table, long assetTicks) {
            return (range.from() == 0 || assetTicks >= table.ticks(range.startUs(), MICROSECONDS))
                    && assetTicks < table.ticks(range.endUs(), MICROSECONDS);
        }

        MemorySegment head(long mediaBytes) {
            List<SampleTable> tables = new ArrayList<>(2);
            for (SampleTable table : new @Nullable SampleTable[] {video, audio}) {
                if (table != null && table.samples() > 0) {
                    tables.add(table);
                }
            }
            if (tables.isEmpty()) {
                throw new MalformedMediaException("recording without samples");
            }
            return ProgressiveMovie.head(
                    tables, new ProgressiveMovie.Shown(size, durationUs), created, mediaBytes);
        }

        private static MemorySegment map(Path file, Arena arena) throws IOException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            }
        }
    }
}
