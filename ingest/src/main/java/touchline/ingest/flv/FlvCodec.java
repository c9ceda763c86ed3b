package touchline.ingest.flv;

/**
 * The codecs that may come in, and the numbers and four-character codes that name them: CodecID and
 * AudioFormat of Adobe Flash Video File Format 10.1 (E.4.3.1, E.4.2.1), FourCC of Enhanced RTMP v2.
 */
enum FlvCodec {
    AVC,
    HEVC,
    AV1,
    AAC,
    MP3,
    OPUS;

    /**
     * @param id CodecID; 12 is no Adobe number, but what many encoders send for HEVC
     * @throws UnsupportedCodecException with the codec's name
     */
    static FlvCodec ofVideoId(int id) {
        return switch (id) {
            case 7 -> AVC;
            case 12 -> HEVC;
            case 1 -> throw new UnsupportedCodecException("JPEG");
            case 2 -> throw new UnsupportedCodecException("Sorenson H.263");
            case 3 -> throw new UnsupportedCodecException("Screen Video");
            case 4 -> throw new UnsupportedCodecException("VP6");
            case 5 -> throw new UnsupportedCodecException("VP6 with alpha channel");
            case 6 -> throw new UnsupportedCodecException("Screen Video version 2");
            case 8 -> throw new UnsupportedCodecException("H.263");
            case 9 -> throw new UnsupportedCodecException("MPEG-4 Part 2");
            case 13 -> throw new UnsupportedCodecException("AV1 by CodecID 13 (use Enhanced RTMP)");
            default -> throw new UnsupportedCodecException("video codec " + id);
        };
    }

    /**
     * @param fourCc four ASCII characters, the first in the highest byte
     * @throws UnsupportedCodecException with the codec's name
     */
    static FlvCodec ofVideoFourCc(int fourCc) {
        String text = text(fourCc);
        return switch (text) {
            case "avc1" -> AVC;
            case "hvc1" -> HEVC;
            case "av01" -> AV1;
            case "vp08" -> throw new UnsupportedCodecException("VP8");
            case "vp09" -> throw new UnsupportedCodecException("VP9");
            case "vvc1" -> throw new UnsupportedCodecException("H.266 (VVC)");
            default -> throw new UnsupportedCodecException("video codec " + text);
        };
    }

    /**
     * @param format AudioFormat
     * @throws UnsupportedCodecException with the codec's name
     */
    static FlvCodec ofAudioFormat(int format) {
        return switch (format) {
            case 2, 14 -> MP3;
            case 10 -> AAC;
            case 0, 3 -> throw new UnsupportedCodecException("Linear PCM");
            case 1 -> throw new UnsupportedCodecException("ADPCM");
            case 4, 5, 6 -> throw new UnsupportedCodecException("Nellymoser");
            case 7 -> throw new UnsupportedCodecException("G.711 A-law");
            case 8 -> throw new UnsupportedCodecException("G.711 mu-law");
            case 11 -> throw new UnsupportedCodecException("Speex");
            case 15 -> throw new UnsupportedCodecException("device-specific audio");
            default -> throw new UnsupportedCodecException("audio format " + format);
        };
    }

    /**
     * @param fourCc four ASCII characters, the first in the highest byte
     * @throws UnsupportedCodecException with the codec's name
     */
    static FlvCodec ofAudioFourCc(int fourCc) {
        String text = text(fourCc);
        return switch (text) {
            case "mp4a" -> AAC;
            case ".mp3" -> MP3;
            case "Opus" -> OPUS;
            case "ac-3" -> throw new UnsupportedCodecException("AC-3");
            case "ec-3" -> throw new UnsupportedCodecException("E-AC-3");
            case "fLaC" -> throw new UnsupportedCodecException("FLAC");
            default -> throw new UnsupportedCodecException("audio codec " + text);
        };
    }

    /** Four characters, or hexadecimal digits where one of them is not printable ASCII. */
    private static String text(int fourCc) {
        StringBuilder text = new StringBuilder(4);
        for (int shift = 24; shift >= 0; shift -= 8) {
            int character = (fourCc >>> shift) & 0xff;
            if (character < 0x20 || character > 0x7e) {
                return String.format("0x%08x", fourCc);
            }
            text.append((char) character);
        }
        return text.toString();
    }
}
