package touchline.api.access;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Grants as text for an address: base64url of these fields, with their lengths in bytes.
 *
 * <pre>
 * version (1) | expiry, Unix seconds (8) | token hash (16)
 * | length of the key id (1) | signing key id (1 to 64) | rules for viewers (the rest)
 * | code (16)
 * </pre>
 *
 * The code is an HMAC over the playback id and all fields before it. The playback id is not a
 * field: the address has it already. Any thread.
 */
public final class Grants {
    private static final byte VERSION = 2;
    private static final int HEAD_BYTES = 1 + Long.BYTES + Grant.HASH_DIGITS / 2 + 1;

    /** A token of at most 4 KiB holds the rules in a longer form. */
    private static final int MAX_CHARACTERS = 6_000;

    private final Hmac code;
    private final InstantSource clock;

    public Grants(MasterKeys masterKeys, InstantSource clock) {
        this.code = new Hmac(masterKeys, "playback grants");
        this.clock = clock;
    }

    /** Letters, digits, minus and underscore; at most 142 characters without rules for viewers. */
    String make(Grant grant) {
        byte[] keyId = grant.signingKeyId().getBytes(StandardCharsets.UTF_8);
        byte[] viewers = grant.viewers().text().getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.allocate(HEAD_BYTES + keyId.length + viewers.length);
        body.put(VERSION)
                .putLong(grant.expiresAt().getEpochSecond())
                .put(HexFormat.of().parseHex(grant.tokenHash()))
                .put((byte) keyId.length)
                .put(keyId)
                .put(viewers);
        ByteBuffer all = ByteBuffer.allocate(body.capacity() + Hmac.BYTES);
        all.put(body.array()).put(code.make(grant.playbackId(), body.array()));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(all.array());
    }

    /** Whether the text is a grant for this playback id, now. */
    GrantCheck verify(String text, String playbackId) {
        byte[] all = decode(text);
        int bodyLength = all.length - Hmac.BYTES;
        if (bodyLength <= HEAD_BYTES || all[0] != VERSION) {
            return new GrantCheck.Refused(GrantCheck.Reason.MALFORMED);
        }
        byte[] body = Arrays.copyOf(all, bodyLength);
        byte[] presented = Arrays.copyOfRange(all, bodyLength, all.length);
        if (!code.isGood(presented, playbackId, body)) {
            return new GrantCheck.Refused(GrantCheck.Reason.FORGED);
        }
        Grant grant = parse(body, playbackId);
        if (PlaybackToken.isOver(grant.expiresAt(), clock.instant())) {
            return new GrantCheck.Refused(GrantCheck.Reason.EXPIRED);
        }
        return new GrantCheck.Good(grant);
    }

    /** No bytes for a text that {@link #make} does not write: a grant has one spelling. */
    private static byte[] decode(String text) {
        if (text.length() > MAX_CHARACTERS) {
            return new byte[0];
        }
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            String spelt = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
            return spelt.equals(text) ? bytes : new byte[0];
        } catch (IllegalArgumentException _) {
            return new byte[0];
        }
    }

    private static Grant parse(byte[] body, String playbackId) {
        ByteBuffer bytes = ByteBuffer.wrap(body, 1, body.length - 1);
        Instant expiresAt = Instant.ofEpochSecond(bytes.getLong());
        byte[] hash = new byte[Grant.HASH_DIGITS / 2];
        bytes.get(hash);
        byte[] keyId = new byte[bytes.get()];
        bytes.get(keyId);
        byte[] viewers = new byte[bytes.remaining()];
        bytes.get(viewers);
        return new Grant(
                playbackId,
                new String(keyId, StandardCharsets.UTF_8),
                HexFormat.of().formatHex(hash),
                expiresAt,
                ViewerRules.ofText(new String(viewers, StandardCharsets.UTF_8)));
    }
}
