package touchline.ingest.rtmp;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * S1 and S2 for a given C1, in the plain form of RTMP 1.0 (5.2.3, 5.2.4) or in the digest form that
 * Flash introduced with version 9: there C1 and S1 carry an HMAC-SHA256 of themselves, at a place
 * that four of their bytes name, in one of two layouts, and S2 signs the client's.
 *
 * <pre>
 * layout 0   time 4, version 4, key block 764, digest block 764
 * layout 1   time 4, version 4, digest block 764, key block 764
 * digest block   offset 4 (its sum modulo 728), filler, digest 32, filler
 * </pre>
 *
 * The digest proves nothing, since its keys are public; encoders check that it is there. Stateless,
 * any thread.
 */
final class HandshakeDigest {
    /** Length of C1, C2, S1 and S2 (RTMP 1.0, 5.2.3). */
    static final int PACKET_BYTES = 1_536;

    static final int DIGEST_BYTES = 32;

    /** Where the offset of the digest stands in each layout. */
    static final int[] LAYOUTS = {772, 8};

    private static final int MAX_OFFSET = 728;

    /** The version in S1; zero would mean a plain handshake. */
    private static final int SERVER_VERSION = 0x0405_0001;

    private static final byte[] COMMON_KEY =
            HexFormat.of()
                    .parseHex("f0eec24a8068bee82e00d0d1029e7e576eec5d2d29806fab93b8e636cfeb31ae");
    static final byte[] CLIENT_KEY =
            "Genuine Adobe Flash Player 001".getBytes(StandardCharsets.US_ASCII);
    static final byte[] SERVER_KEY =
            "Genuine Adobe Flash Media Server 001".getBytes(StandardCharsets.US_ASCII);
    static final byte[] SERVER_FULL_KEY = joined(SERVER_KEY, COMMON_KEY);

    private HandshakeDigest() {}

    /**
     * Appends S1 and S2.
     *
     * @param packet holds C1 from {@code offset} on
     */
    static void answer(byte[] packet, int offset, ByteBuf out) {
        byte[] c1 = Arrays.copyOfRange(packet, offset, offset + PACKET_BYTES);
        int layout = layout(c1);
        if (layout < 0) {
            out.writeBytes(randomPacket(/* version= */ 0));
            out.writeBytes(c1);
            return;
        }
        byte[] s1 = randomPacket(SERVER_VERSION);
        int place = place(s1, layout);
        System.arraycopy(digest(s1, place, SERVER_KEY), 0, s1, place, DIGEST_BYTES);
        out.writeBytes(s1);
        int clientPlace = place(c1, layout);
        byte[] clientDigest = Arrays.copyOfRange(c1, clientPlace, clientPlace + DIGEST_BYTES);
        byte[] s2 = randomPacket(SERVER_VERSION);
        byte[] key = hmac(SERVER_FULL_KEY, clientDigest, 0, 0);
        int signedBytes = PACKET_BYTES - DIGEST_BYTES;
        byte[] signature = hmac(key, s2, signedBytes, PACKET_BYTES);
        System.arraycopy(signature, 0, s2, signedBytes, DIGEST_BYTES);
        out.writeBytes(s2);
    }

    /**
     * The layout in which C1 carries a valid digest.
     *
     * @return an index into {@link #LAYOUTS}, -1 for a plain handshake
     */
    private static int layout(byte[] c1) {
        boolean plain = c1[4] == 0 && c1[5] == 0 && c1[6] == 0 && c1[7] == 0;
        if (plain) {
            return -1;
        }
        for (int layout = 0; layout < LAYOUTS.length; layout++) {
            int place = place(c1, layout);
            byte[] sent = Arrays.copyOfRange(c1, place, place + DIGEST_BYTES);
            if (MessageDigest.isEqual(sent, digest(c1, place, CLIENT_KEY))) {
                return layout;
            }
        }
        return -1;
    }

    /** Position of the digest; inside the packet for any four bytes. */
    static int place(byte[] packet, int layout) {
        int start = LAYOUTS[layout];
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += packet[start + i] & 0xff;
        }
        return start + 4 + sum % MAX_OFFSET;
    }

    /** HMAC of a packet without the digest itself. */
    static byte[] digest(byte[] packet, int place, byte[] key) {
        return hmac(key, packet, place, place + DIGEST_BYTES);
    }

    /** HMAC-SHA256 of all bytes but those from {@code skipFrom} to {@code skipTo}. */
    static byte[] hmac(byte[] key, byte[] bytes, int skipFrom, int skipTo) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(bytes, 0, skipFrom);
            mac.update(bytes, skipTo, bytes.length - skipTo);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 (expected: in every JDK)", e);
        }
    }

    /** Time 0, a version, and filler, which need not be secret (RTMP 1.0, 5.2.3). */
    private static byte[] randomPacket(int version) {
        byte[] packet = new byte[PACKET_BYTES];
        ThreadLocalRandom.current().nextBytes(packet);
        Arrays.fill(packet, 0, 4, (byte) 0);
        for (int i = 0; i < 4; i++) {
            packet[4 + i] = (byte) (version >>> (24 - 8 * i));
        }
        return packet;
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
