package touchline.api.app;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import touchline.ingest.amf.AmfCodec;
import touchline.ingest.amf.AmfValue;
import touchline.ingest.amf.AmfValue.Absent;
import touchline.ingest.amf.AmfValue.Num;
import touchline.ingest.amf.AmfValue.Obj;
import touchline.ingest.amf.AmfValue.Text;

/**
 * An encoder that sends several tracks (Enhanced RTMP v2 multitrack): FLV files of one track each
 * become one push. The first video and audio are sent as an old encoder does, the others in
 * messages of one track, like OBS Studio; frames of one time can share a message. Sends as fast as
 * the server reads.
 */
final class MultitrackPush implements AutoCloseable {
    private static final int HANDSHAKE_BYTES = 1536;
    private static final int CHUNK_BYTES = 4096;
    private static final int VIDEO = 9;
    private static final int AUDIO = 8;
    private static final int FLV_HEADER_BYTES = 13;
    private static final int TAG_HEADER_BYTES = 11;
    private static final int AVC = 0x61766331;
    private static final int AAC = 0x6d703461;

    private final Socket socket;
    private final OutputStream out;
    private final DataInputStream in;

    /** Languages of the audio tracks, in their order. */
    private final List<String> languages;

    private record Tag(int type, int track, int timestampMs, ByteBuffer body) {}

    /**
     * Publishes to {@code rtmp://host:port/app/key}.
     *
     * @param languages of the audio tracks
     */
    static MultitrackPush publish(String address, List<String> languages) throws IOException {
        URI uri = URI.create(address);
        MultitrackPush push =
                new MultitrackPush(new Socket(uri.getHost(), uri.getPort()), languages);
        push.open(uri);
        return push;
    }

    private MultitrackPush(Socket socket, List<String> languages) throws IOException {
        this.socket = socket;
        this.out = socket.getOutputStream();
        this.in = new DataInputStream(socket.getInputStream());
        this.languages = languages;
    }

    /**
     * Sends files from their beginning to their end.
     *
     * @param video H.264, the first one is track 0
     * @param audio AAC, likewise
     * @param fromMs added to all timestamps
     */
    void send(List<Path> video, List<Path> audio, int fromMs) throws IOException {
        send(video, audio, fromMs, Part.ALL);
    }

    /** A part of files, by the timestamps in them. Configurations are at 0. */
    record Part(int startMs, int endMs) {
        static final Part ALL = new Part(0, Integer.MAX_VALUE);
        static final Part BEGINNING = new Part(0, 500);
        static final Part REST = new Part(500, Integer.MAX_VALUE);

        boolean has(int timestampMs) {
            return timestampMs >= startMs && timestampMs < endMs;
        }
    }

    /** The same for a part of the files. */
    void send(List<Path> video, List<Path> audio, int fromMs, Part part) throws IOException {
        List<Tag> tags = new ArrayList<>();
        for (int i = 0; i < video.size(); i++) {
            tags.addAll(read(video.get(i), VIDEO, i));
        }
        for (int i = 0; i < audio.size(); i++) {
            tags.addAll(read(audio.get(i), AUDIO, i));
        }
        // Stable: configurations come first, and tracks of one time in their order.
        tags.removeIf(tag -> !part.has(tag.timestampMs()));
        tags.sort(Comparator.comparingInt(Tag::timestampMs));
        for (Tag tag : tags) {
            int at = tag.timestampMs() + (isConfiguration(tag) ? 0 : fromMs);
            if (tag.track() == 0) {
                message(tag.type(), at, tag.body());
            } else {
                message(tag.type(), at, tag.type() == VIDEO ? video(tag) : audio(tag));
            }
        }
        out.flush();
    }

    private static boolean isConfiguration(Tag tag) {
        return tag.body().get(1) == 0;
    }

    /** ExVideoTagHeader: Multitrack, OneTrack. */
    private static ByteBuffer video(Tag tag) {
        ByteBuffer body = tag.body();
        int frameType = (body.get(0) >> 4) & 7;
        int packetType = body.get(1);
        ByteBuffer message = ByteBuffer.allocate(body.remaining() + 8);
        message.put((byte) (0x80 | frameType << 4 | 6)).put((byte) packetType);
        message.putInt(AVC).put((byte) tag.track());
        // Composition time of coded frames; a configuration has none here.
        message.put(
                body.slice(packetType == 1 ? 2 : 5, body.remaining() - (packetType == 1 ? 2 : 5)));
        return message.flip();
    }

    /** ExAudioTagHeader: Multitrack, OneTrack. */
    private static ByteBuffer audio(Tag tag) {
        ByteBuffer body = tag.body();
        ByteBuffer message = ByteBuffer.allocate(body.remaining() + 8);
        message.put((byte) 0x95).put(body.get(1)).putInt(AAC).put((byte) tag.track());
        return message.put(body.slice(2, body.remaining() - 2)).flip();
    }

    private static List<Tag> read(Path file, int type, int track) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        List<Tag> tags = new ArrayList<>();
        int at = FLV_HEADER_BYTES;
        while (at + TAG_HEADER_BYTES <= bytes.limit()) {
            int size = bytes.getInt(at) & 0xFFFFFF;
            int time = bytes.getInt(at + 4);
            ByteBuffer body = bytes.slice(at + TAG_HEADER_BYTES, size);
            boolean isEnd = bytes.get(at) == VIDEO && size <= 5;
            if (bytes.get(at) == type && !isEnd) {
                tags.add(new Tag(type, track, time >>> 8 | (time & 0xFF) << 24, body));
            }
            at += TAG_HEADER_BYTES + size + 4;
        }
        return tags;
    }

    private void open(URI address) throws IOException {
        out.write(3);
        out.write(new byte[HANDSHAKE_BYTES]);
        out.flush();
        in.readByte();
        byte[] server = in.readNBytes(HANDSHAKE_BYTES);
        in.readNBytes(HANDSHAKE_BYTES);
        out.write(server);
        String[] path = address.getPath().substring(1).split("/", -1);
        chunks(2, 1, 0, 0, ByteBuffer.allocate(4).putInt(0, CHUNK_BYTES));
        Map<String, AmfValue> connect = new LinkedHashMap<>();
        connect.put("app", new Text(path[0]));
        connect.put("tcUrl", new Text("rtmp://" + address.getAuthority() + "/" + path[0]));
        command(0, new Text("connect"), new Num(1), new Obj(connect));
        await("NetConnection.Connect.Success");
        command(0, new Text("createStream"), new Num(2), Absent.NULL);
        command(
                1,
                new Text("publish"),
                new Num(3),
                Absent.NULL,
                new Text(path[1]),
                new Text("live"));
        await("NetStream.Publish.Start");
        chunks(4, 18, 0, 1, amf(new Text("@setDataFrame"), new Text("onMetaData"), metadata()));
    }

    private AmfValue metadata() {
        Map<String, AmfValue> tracks = new LinkedHashMap<>();
        for (int i = 1; i < languages.size(); i++) {
            tracks.put("" + i, new Obj(Map.of("language", new Text(languages.get(i)))));
        }
        Map<String, AmfValue> all = new LinkedHashMap<>();
        all.put("videocodecid", new Num(7));
        if (!languages.isEmpty()) {
            all.put("audiocodecid", new Num(10));
            all.put("language", new Text(languages.getFirst()));
            all.put("audioTrackIdInfoMap", new Obj(tracks));
        }
        return new AmfValue.EcmaArray(all);
    }

    private void command(int messageStream, AmfValue... values) throws IOException {
        chunks(3, 20, 0, messageStream, amf(values));
        out.flush();
    }

    private void message(int type, int timestampMs, ByteBuffer body) throws IOException {
        chunks(type == VIDEO ? 6 : 5, type, timestampMs, 1, body);
    }

    /** A type 0 chunk, then type 3 chunks (RTMP 1.0, 5.3.1). */
    private void chunks(int stream, int type, int timestampMs, int messageStream, ByteBuffer body)
            throws IOException {
        int size = body.remaining();
        ByteBuffer header = ByteBuffer.allocate(12);
        header.put((byte) stream).putInt(timestampMs << 8 | size >>> 16);
        header.putShort((short) size).put((byte) type);
        header.order(ByteOrder.LITTLE_ENDIAN).putInt(messageStream);
        out.write(header.array());
        byte[] bytes = new byte[size];
        body.get(bytes);
        for (int at = 0; at < size; at += CHUNK_BYTES) {
            if (at > 0) {
                out.write(0xC0 | stream);
            }
            out.write(bytes, at, Math.min(CHUNK_BYTES, size - at));
        }
    }

    private static ByteBuffer amf(AmfValue... values) {
        ByteBuf bytes = Unpooled.buffer();
        for (AmfValue value : values) {
            AmfCodec.write(bytes, value);
        }
        return bytes.nioBuffer();
    }

    /** Reads until a text has passed: only the order of the answers matters. */
    private void await(String text) throws IOException {
        StringBuilder seen = new StringBuilder();
        while (seen.indexOf(text) < 0) {
            seen.append(new String(new byte[] {in.readByte()}, StandardCharsets.ISO_8859_1));
            if (seen.indexOf("NetStream.Publish.Denied") >= 0
                    || seen.indexOf("NetStream.Publish.BadName") >= 0) {
                throw new IOException("refused: " + seen);
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
