package touchline.packager.isobmff;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.isobmff.BoxReader.Box;

/**
 * Content of a stored init segment; reads what {@link InitSegment} writes. Immutable, any thread.
 *
 * @param startedAt {@code creation_time}: exact to the second
 * @param tracks frames first where there are any
 */
public record InitReader(Instant startedAt, List<TrackHead> tracks) {
    private static final int TKHD_ID = 12;
    private static final int TKHD_SIZE = 76;

    /** Below the lowest sample rate of AAC: so decode times always fit in microseconds. */
    private static final int MIN_TICKS_PER_SECOND = 1_000;

    /** Seconds since 1904, until far behind the year 9999. */
    private static final long MAX_CREATION_TIME = 1L << 40;

    public InitReader {
        tracks = List.copyOf(tracks);
    }

    /**
     * @param sampleEntry the first box in {@code stsd}, a copy, read-only
     * @param width in pixels, 0 for audio
     * @param height in pixels, 0 for audio
     */
    public record TrackHead(
            long id,
            boolean video,
            Timescale timescale,
            MemorySegment sampleEntry,
            int width,
            int height) {
        /**
         * As packagers know it.
         *
         * @throws MalformedMediaException where the sample entry is none of those written here
         */
        public Track track() {
            if (id < 1 || id > Integer.MAX_VALUE) {
                throw new MalformedMediaException("tkhd track_ID: " + id + " (expected: > 0)");
            }
            return new Track((int) id, timescale, SampleEntryReader.codec(sampleEntry));
        }
    }

    /** Reads a file; see {@link #read(MemorySegment)}. */
    public static InitReader read(Path file) throws IOException {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return read(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena));
        }
    }

    /**
     * Reads {@code moov}; nothing of the bytes is kept.
     *
     * @throws MalformedMediaException when something is missing or cut short
     */
    public static InitReader read(MemorySegment bytes) {
        Box moov =
                BoxReader.first(BoxReader.walk(bytes), "moov")
                        .orElseThrow(
                                () -> new MalformedMediaException("init segment without moov"));
        List<TrackHead> tracks = new ArrayList<>(2);
        for (Box box : moov.children()) {
            if (box.type().equals("trak")) {
                tracks.add(track(box));
            }
        }
        return new InitReader(startedAt(moov.need("mvhd")), tracks);
    }

    public Optional<TrackHead> track(long id) {
        for (TrackHead track : tracks) {
            if (track.id() == id) {
                return Optional.of(track);
            }
        }
        return Optional.empty();
    }

    private static Instant startedAt(Box movie) {
        long created = movie.u64(4);
        if (created < 0 || created > MAX_CREATION_TIME) {
            throw new MalformedMediaException(
                    "mvhd creation_time: "
                            + Long.toUnsignedString(created)
                            + " (expected: <= "
                            + MAX_CREATION_TIME
                            + ")");
        }
        return Instant.ofEpochSecond(created - MovieBoxes.SECONDS_1904_TO_1970);
    }

    private static TrackHead track(Box trak) {
        Box header = trak.need("tkhd");
        Box media = trak.need("mdia");
        long ticks = media.need("mdhd").u32(12);
        if (ticks < MIN_TICKS_PER_SECOND || ticks > Integer.MAX_VALUE) {
            throw new MalformedMediaException(
                    "mdhd timescale: " + ticks + " (expected: >= " + MIN_TICKS_PER_SECOND + ")");
        }
        Box descriptions = media.need("minf").need("stbl").need("stsd");
        List<Box> entries = descriptions.children(8);
        if (entries.isEmpty()) {
            throw new MalformedMediaException("stsd without an entry");
        }
        Box entry = entries.getFirst();
        byte[] sampleEntry =
                descriptions
                        .payload()
                        .asSlice(8 + entry.offset(), entry.sizeBytes())
                        .toArray(ValueLayout.JAVA_BYTE);
        return new TrackHead(
                header.u32(TKHD_ID),
                media.need("hdlr").fourCc(8).equals("vide"),
                new Timescale((int) ticks),
                MemorySegment.ofArray(sampleEntry).asReadOnly(),
                header.u16(TKHD_SIZE),
                header.u16(TKHD_SIZE + 4));
    }
}
