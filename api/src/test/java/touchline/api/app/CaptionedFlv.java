package touchline.api.app;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds closed captions to the H.264 frames of an FLV file, as encoders for television do: CEA-608
 * in an SEI message of each frame (ANSI/SCTE 128, 8.1; CTA-608-E). Channel CC1 shows one text, for
 * one second of every two ("pop-on").
 */
final class CaptionedFlv {
    private static final int FILE_HEADER = 9 + 4;
    private static final int TAG_HEADER = 11;
    private static final int VIDEO = 9;
    private static final int AVC_HEADER = 5;
    private static final int AVC_FRAME = 1;
    private static final int FRAMES_SHOWN = 30;
    private static final int FRAMES_EACH = 60;

    /** Of channel CC1 (CTA-608-E, table 52 and 53); each is sent twice. */
    private static final int RESUME_CAPTION_LOADING = 0x1420;

    private static final int ERASE_NON_DISPLAYED = 0x142E;
    private static final int ROW_15 = 0x1470;
    private static final int END_OF_CAPTION = 0x142F;
    private static final int ERASE_DISPLAYED = 0x142C;

    private CaptionedFlv() {}

    /**
     * @param flv of H.264 without B-frames at 30 frames per second, lengths of four bytes
     * @param text of ASCII characters, at most 32
     */
    static Path write(Path flv, String text, Path to) throws IOException {
        int[] pairs = pairs(text);
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(flv));
        ByteArrayOutputStream out = new ByteArrayOutputStream(in.limit() * 2);
        out.write(in.array(), 0, FILE_HEADER);
        in.position(FILE_HEADER);
        int frames = 0;
        while (in.remaining() > TAG_HEADER) {
            byte[] header = new byte[TAG_HEADER];
            in.get(header);
            byte[] body = new byte[ByteBuffer.wrap(header).getInt() & 0xFF_FFFF];
            in.get(body).getInt();
            if (header[0] == VIDEO && body[1] == AVC_FRAME) {
                body = withCaption(body, pairs[frames % FRAMES_EACH]);
                frames++;
            }
            ByteBuffer.wrap(header).putInt(header[0] << 24 | body.length);
            out.write(header);
            out.write(body);
            out.write(ByteBuffer.allocate(4).putInt(TAG_HEADER + body.length).array());
        }
        return Files.write(to, out.toByteArray());
    }

    /** What each of the frames sends; 0 is nothing. */
    private static int[] pairs(String text) {
        List<Integer> sent = new ArrayList<>();
        for (int code : new int[] {RESUME_CAPTION_LOADING, ERASE_NON_DISPLAYED, ROW_15}) {
            sent.addAll(List.of(code, code));
        }
        byte[] letters = (text.length() % 2 == 0 ? text : text + " ").getBytes(US_ASCII);
        for (int i = 0; i < letters.length; i += 2) {
            sent.add(letters[i] << 8 | letters[i + 1]);
        }
        sent.addAll(List.of(END_OF_CAPTION, END_OF_CAPTION));
        int[] pairs = new int[FRAMES_EACH];
        for (int i = 0; i < sent.size(); i++) {
            pairs[i] = sent.get(i);
        }
        pairs[sent.size() + FRAMES_SHOWN] = ERASE_DISPLAYED;
        pairs[sent.size() + FRAMES_SHOWN + 1] = ERASE_DISPLAYED;
        return pairs;
    }

    /** Without a zero byte, so that no emulation prevention is needed. */
    private static byte[] withCaption(byte[] frame, int pair) {
        byte[] message = {
            6, // SEI
            4, // user_data_registered_itu_t_t35
            14, // bytes that follow
            (byte) 0xB5,
            0x00,
            0x31,
            'G',
            'A',
            '9',
            '4',
            3,
            0x41, // process_cc_data_flag, cc_count 1
            (byte) 0xFF,
            (byte) 0xFC, // cc_valid, field 1
            odd(pair >> 8),
            odd(pair & 0xFF),
            (byte) 0xFF,
            (byte) 0x80
        };
        ByteBuffer made = ByteBuffer.allocate(frame.length + Integer.BYTES + message.length);
        made.put(frame, 0, AVC_HEADER).putInt(message.length).put(message);
        return made.put(frame, AVC_HEADER, frame.length - AVC_HEADER).array();
    }

    /** With the parity bit of CTA-608-E. */
    private static byte odd(int seven) {
        return (byte) (Integer.bitCount(seven) % 2 == 0 ? seven | 0x80 : seven);
    }
}
