package touchline.benchmarks.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import touchline.ingest.amf.AmfValue;
import touchline.ingest.amf.AmfValue.Text;

/** Attacks on RTMP that need no media. Any thread. */
final class RtmpAttacks {
    private static final int COMMAND_BYTES = 64 << 10;
    private static final int DATA_BYTES = 2 << 20;

    private final URI rtmp;
    private final URI flooded;

    /**
     * @param rtmp any stream's address
     * @param flooded a stream's address with its key
     */
    RtmpAttacks(URI rtmp, URI flooded) {
        this.rtmp = rtmp;
        this.flooded = flooded;
    }

    List<Attack> all() {
        return List.of(
                Attack.of("RTMP: unfinished messages", 33, 50, _ -> unfinishedMessages()),
                Attack.of("RTMP: message of 16 MiB", 4, 200, _ -> oversizedMessage()),
                Attack.of("RTMP: media before publish", 2, 200, _ -> mediaBeforePublish()),
                Attack.of("RTMP: values before publish", 4, 200, _ -> valuesBeforePublish()),
                Attack.of("RTMP: values of a publisher", 1, 500, _ -> valuesOfPublisher()),
                Attack.of("RTMP: wrong stream keys", 8, 200, this::wrongKey));
    }

    /** As many as 256 KiB hold, and one more. */
    private String unfinishedMessages() throws IOException {
        try (RtmpPeer peer = RtmpPeer.connect(rtmp)) {
            for (int chunkStream = 3; chunkStream < 7; chunkStream++) {
                peer.unfinished(chunkStream, RtmpPeer.COMMAND, new byte[COMMAND_BYTES]);
            }
            return peer.awaitEnd();
        }
    }

    private String oversizedMessage() throws IOException {
        try (RtmpPeer peer = RtmpPeer.connect(rtmp)) {
            peer.raw(new byte[] {3, 0, 0, 0, -1, -1, -1, RtmpPeer.COMMAND, 0, 0, 0, 0});
            return peer.awaitEnd();
        }
    }

    private String mediaBeforePublish() throws IOException {
        try (RtmpPeer peer = RtmpPeer.connect(rtmp)) {
            peer.message(6, 9, 0, 1, new byte[COMMAND_BYTES]);
            return peer.awaitEnd();
        }
    }

    private String valuesBeforePublish() throws IOException {
        try (RtmpPeer peer = RtmpPeer.connect(rtmp)) {
            byte[] nulls = new byte[COMMAND_BYTES];
            Arrays.fill(nulls, (byte) 5);
            peer.message(3, RtmpPeer.COMMAND, 0, 0, nulls);
            return peer.awaitEnd();
        }
    }

    private String valuesOfPublisher() throws IOException {
        try (RtmpPeer peer = RtmpPeer.publish(flooded)) {
            ByteArrayOutputStream data = new ByteArrayOutputStream();
            data.writeBytes(
                    RtmpPeer.amf(
                            new Text("@setDataFrame"),
                            new Text("onMetaData"),
                            AmfValue.Absent.NULL));
            byte[] nulls = new byte[DATA_BYTES];
            Arrays.fill(nulls, (byte) 5);
            data.writeBytes(nulls);
            peer.message(4, RtmpPeer.DATA, 0, 1, data.toByteArray());
            return peer.awaitEnd();
        }
    }

    private String wrongKey(int index) throws IOException {
        try (RtmpPeer peer = RtmpPeer.connect(rtmp)) {
            peer.publish("guess-" + index);
            return "accepted";
        }
    }
}
