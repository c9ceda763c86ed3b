package touchline.packager.clip;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.BoxReader.Box;
import touchline.packager.isobmff.Fragment;
import touchline.packager.isobmff.FragmentRun;
import touchline.packager.isobmff.InitReader;
import touchline.packager.isobmff.InitSegment;

/**
 * Frames of a GOP as a small fragmented MP4 file, which goes to the process that re-encodes them,
 * and back. Immutable, any thread.
 *
 * @param track of the frames
 * @param units in decode order, at least one
 */
public record GopFile(Track track, List<AccessUnit> units) {
    private static final long MAX_BYTES = 512L << 20;

    public GopFile {
        units = List.copyOf(units);
        if (units.isEmpty()) {
            throw new IllegalArgumentException("group without units");
        }
    }

    /** Writes it in place of what is there. */
    public void write(Path path) throws IOException {
        List<Fragment.Sample> samples = new ArrayList<>(units.size());
        for (int i = 0; i < units.size(); i++) {
            boolean last = i + 1 == units.size();
            long duration = last ? 1 : units.get(i + 1).dtsTicks() - units.get(i).dtsTicks();
            samples.add(new Fragment.Sample(units.get(i), duration));
        }
        Fragment fragment = new Fragment(1, List.of(new Fragment.Run(track, samples)));
        ByteBuffer bytes = ByteBuffer.allocate(fragment.sizeBytes());
        fragment.writeTo(bytes);
        // A worker writes to the same folder: what it put there is not followed.
        Files.deleteIfExists(path);
        Files.write(
                path,
                InitSegment.write(List.of(track), Instant.EPOCH),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE);
        Files.write(path, bytes.array(), StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws MalformedMediaException when the file is not one of these
     */
    public static GopFile read(Path path) throws IOException {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel =
                        FileChannel.open(
                                path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            if (channel.size() > MAX_BYTES) {
                throw new MalformedMediaException(
                        "group: " + channel.size() + " bytes (expected: <= " + MAX_BYTES + ")");
            }
            // A copy: a worker may change its file at any time.
            MemorySegment bytes = arena.allocate(Math.max(1, channel.size()));
            ByteBuffer unread = bytes.asByteBuffer();
            while (unread.hasRemaining() && channel.read(unread) >= 0) {
                // The file is regular: each read gets more, or there is no more.
            }
            Track track = InitReader.read(bytes).tracks().getFirst().track();
            List<AccessUnit> units = new ArrayList<>();
            for (Box box : BoxReader.walk(bytes)) {
                if (box.type().equals("moof")) {
                    read(bytes, box, track, units);
                }
            }
            return new GopFile(track, units);
        } catch (IndexOutOfBoundsException e) {
            throw new MalformedMediaException("group: a sample lies outside of the file", e);
        }
    }

    private static void read(MemorySegment bytes, Box moof, Track track, List<AccessUnit> units) {
        for (FragmentRun run : FragmentRun.of(moof)) {
            long position = moof.offset() + run.dataOffset();
            long decode = run.decodeTicks();
            for (int i = 0; i < run.samples(); i++) {
                byte[] payload =
                        bytes.asSlice(position, run.sizeBytes(i)).toArray(ValueLayout.JAVA_BYTE);
                units.add(
                        new AccessUnit(
                                track,
                                decode,
                                run.compositionOffsetTicks(i),
                                run.isSync(i),
                                MemorySegment.ofArray(payload)));
                position += run.sizeBytes(i);
                decode += run.durationTicks(i);
            }
        }
    }
}
