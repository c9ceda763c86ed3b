package touchline.packager.isobmff;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.hls.TestMedia;
import touchline.packager.isobmff.BoxReader.Box;
import touchline.packager.isobmff.Fragment.Run;
import touchline.packager.isobmff.Fragment.Sample;
import touchline.testing.fuzz.FuzzTarget;

/**
 * Boxes of init segments and fragments: as they are, and with sizes set right, so that changes
 * reach the fields inside. A whole init segment is written and read again as the same.
 */
public final class Mp4FuzzTarget implements FuzzTarget {
    private static final int HEADER_BYTES = 8;
    private static final int MAX_DEPTH = 8;
    private static final Set<String> CONTAINERS =
            Set.of("moov", "trak", "mdia", "minf", "stbl", "moof", "traf", "mvex");

    @Override
    public String name() {
        return "mp4";
    }

    @Override
    public List<byte[]> seeds() {
        Stream<byte[]> inits =
                InitReaderTest.codecs()
                        .map(
                                codec ->
                                        InitSegment.write(
                                                List.of(track(codec)),
                                                Instant.parse("2026-11-20T12:00:00Z")));
        Run video =
                new Run(
                        TestMedia.VIDEO,
                        List.of(
                                new Sample(TestMedia.frame(1_000, 67, true), 33 * 90),
                                new Sample(TestMedia.frame(1_033, -33, false), 34 * 90)));
        Run audio =
                new Run(
                        TestMedia.AUDIO,
                        List.of(new Sample(TestMedia.audio(1_000, 20).getFirst(), 1_024)));
        return Stream.concat(
                        inits,
                        Stream.of(
                                bytes(new Fragment(7, List.of(video, audio))),
                                bytes(new Fragment(8, List.of(audio)))))
                .toList();
    }

    private static Track track(CodecConfig codec) {
        return new Track(3, new Timescale(48_000), codec);
    }

    private static byte[] bytes(Fragment fragment) {
        ByteBuffer target = ByteBuffer.allocateDirect(fragment.sizeBytes());
        fragment.writeTo(target);
        byte[] bytes = new byte[fragment.sizeBytes()];
        target.flip().get(bytes);
        return bytes;
    }

    @Override
    public void read(byte[] input) {
        readAll(MemorySegment.ofArray(input).asReadOnly());
        readAll(MemorySegment.ofArray(repaired(input, 0)).asReadOnly());
    }

    private static void readAll(MemorySegment bytes) {
        List<Box> whole = BoxReader.walkWhole(bytes);
        long size = whole.stream().mapToLong(Box::sizeBytes).sum();
        require(size <= bytes.byteSize(), "boxes of " + size + " bytes");
        try {
            require(BoxReader.walk(bytes).size() == whole.size(), "walk and walkWhole differ");
        } catch (MalformedMediaException _) {
            // The last box is cut short.
        }
        init(bytes);
        for (Box box : whole) {
            if (box.type().equals("moof")) {
                fragment(box);
            }
        }
    }

    private static void init(MemorySegment bytes) {
        try {
            InitReader init = InitReader.read(bytes);
            for (InitReader.TrackHead head : init.tracks()) {
                try {
                    again(head.track(), init.startedAt());
                } catch (MalformedMediaException _) {
                    // Not a track of this server.
                }
            }
        } catch (MalformedMediaException _) {
            // Not an init segment of this server.
        }
    }

    private static void again(Track track, Instant startedAt) {
        InitReader read =
                InitReader.read(
                        MemorySegment.ofArray(InitSegment.write(List.of(track), startedAt)));
        require(read.startedAt().equals(startedAt), "started at " + startedAt);
        Track same = read.tracks().getFirst().track();
        require(same.equals(track), "written and read again: " + same + ", was: " + track);
    }

    private static void fragment(Box moof) {
        try {
            for (FragmentRun run : FragmentRun.of(moof)) {
                long bytes = 0;
                for (int i = 0; i < run.samples(); i++) {
                    require(run.durationTicks(i) >= 0, "duration");
                    bytes += run.sizeBytes(i) + run.compositionOffsetTicks(i);
                    require(!run.isSync(i) || run.trackId() >= 0, "track");
                }
                require(run.endTicks() >= run.decodeTicks(), "ends before it begins: " + bytes);
                new Timescale(1_000).toUs(run.endTicks());
                run.dataOffset();
            }
        } catch (MalformedMediaException _) {
            // Not a fragment of this server.
        }
    }

    /** The same boxes with sizes that fit: each ends where the bytes end, or where it says. */
    private static byte[] repaired(byte[] input, int depth) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(input.length);
        int at = 0;
        while (input.length - at >= HEADER_BYTES) {
            ByteBuffer header = ByteBuffer.wrap(input, at, HEADER_BYTES);
            int size = header.getInt();
            int end = size < HEADER_BYTES || size > input.length - at ? input.length : at + size;
            String type = new String(input, at + 4, 4, StandardCharsets.ISO_8859_1);
            byte[] payload = Arrays.copyOfRange(input, at + HEADER_BYTES, end);
            if (CONTAINERS.contains(type) && depth < MAX_DEPTH) {
                payload = repaired(payload, depth + 1);
            }
            out.writeBytes(ByteBuffer.allocate(4).putInt(HEADER_BYTES + payload.length).array());
            out.write(input, at + 4, 4);
            out.writeBytes(payload);
            at = end;
        }
        return out.toByteArray();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
