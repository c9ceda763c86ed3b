package touchline.packager.edge;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.MediaMemory;
import touchline.packager.hls.MediaUnreachableException;
import touchline.packager.hls.PlaylistEnd;
import touchline.packager.hls.RenderedPlaylist;

/**
 * The playlists of one answer between nodes: compressed one behind the other, as the owner has
 * rendered them, so that plain and compressed text are the same at every node. A header describes
 * each of them:
 *
 * <pre>
 * X-Touchline-Playlists: bytes;version;msn;part;sealed;partsBefore, ...
 * </pre>
 */
public final class PlaylistBundle {
    /** The header that describes the body. */
    public static final String HEADER = "x-touchline-playlists";

    private static final int FIELDS = 6;
    private static final int MAX_PLAYLISTS = 2;

    /** Of one playlist: a day of low latency has some 20 MB. */
    private static final int MAX_PLAIN_BYTES = 64 << 20;

    private PlaylistBundle() {}

    /** The header. */
    public static String header(List<RenderedPlaylist> playlists) {
        StringBuilder text = new StringBuilder();
        for (RenderedPlaylist each : playlists) {
            if (!text.isEmpty()) {
                text.append(", ");
            }
            PlaylistEnd end = each.end();
            text.append(each.gzip().sizeBytes()).append(';').append(each.version());
            text.append(';').append(end.mediaSequence()).append(';').append(end.part());
            text.append(';').append(end.sealed() ? 1 : 0).append(';').append(end.partsBefore());
        }
        return text.toString();
    }

    /** The body; takes over the references of the playlists. */
    public static MediaBody.Blocks body(List<RenderedPlaylist> playlists) {
        List<MediaBlock> blocks = new ArrayList<>();
        for (RenderedPlaylist each : playlists) {
            each.plain().release();
            blocks.add(each.gzip());
        }
        return new MediaBody.Blocks(blocks);
    }

    /**
     * Reads them.
     *
     * @return one or two, with references of the caller
     * @throws MediaUnreachableException where they are not what the header says
     */
    static List<RenderedPlaylist> read(String header, MediaBlock body, MediaMemory memory) {
        List<RenderedPlaylist> read = new ArrayList<>();
        try {
            String[] each = header.split(",", -1);
            if (each.length > MAX_PLAYLISTS) {
                throw new MediaUnreachableException(
                        "playlists: " + each.length + " (expected: 1 or 2)");
            }
            ByteBuffer bytes = body.bytes();
            for (String description : each) {
                read.add(read(description.strip().split(";", -1), bytes, memory));
            }
            if (bytes.hasRemaining()) {
                throw new MediaUnreachableException(
                        "playlists: " + bytes.remaining() + " bytes too many");
            }
            return read;
        } catch (IOException | IllegalArgumentException e) {
            read.forEach(RenderedPlaylist::release);
            throw new MediaUnreachableException("playlists: " + e.getMessage());
        } catch (MediaUnreachableException e) {
            read.forEach(RenderedPlaylist::release);
            throw e;
        }
    }

    private static RenderedPlaylist read(String[] fields, ByteBuffer bytes, MediaMemory memory)
            throws IOException {
        int size = fields.length == FIELDS ? Integer.parseInt(fields[0]) : -1;
        if (size < 0 || size > bytes.remaining()) {
            throw new IOException("description of a playlist (expected: its size and five more)");
        }
        PlaylistEnd end =
                new PlaylistEnd(
                        Long.parseLong(fields[2]),
                        Integer.parseInt(fields[3]),
                        fields[4].equals("1"),
                        Integer.parseInt(fields[5]));
        long version = Long.parseLong(fields[1]);
        byte[] gzip = new byte[size];
        bytes.get(gzip);
        byte[] plain = inflate(gzip);
        MediaBlock plainBlock = memory.copy(plain);
        try {
            return new RenderedPlaylist(plainBlock, memory.copy(gzip), version, end);
        } catch (RuntimeException e) {
            plainBlock.release();
            throw e;
        }
    }

    private static byte[] inflate(byte[] gzip) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
            byte[] plain = in.readNBytes(MAX_PLAIN_BYTES);
            if (in.read() >= 0) {
                throw new IOException("larger than " + MAX_PLAIN_BYTES + " bytes");
            }
            return plain;
        }
    }
}
