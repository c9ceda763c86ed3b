package touchline.packager.isobmff;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import touchline.packager.isobmff.BoxReader.Box;

/** Boxes as text, field by field, as our own reader sees them. */
final class BoxDump {
    private static final Set<String> CONTAINERS =
            Set.of("moov", "trak", "mdia", "minf", "dinf", "stbl", "mvex", "moof", "traf");

    private final StringBuilder out = new StringBuilder();

    private BoxDump() {}

    static String of(byte[] bytes) {
        BoxDump dump = new BoxDump();
        dump.boxes(BoxReader.walk(MemorySegment.ofArray(bytes)), 0);
        return dump.out.toString();
    }

    private void boxes(List<Box> boxes, int depth) {
        for (Box box : boxes) {
            out.append("  ".repeat(depth)).append(box.type());
            if (CONTAINERS.contains(box.type())) {
                out.append('\n');
                boxes(box.children(), depth + 1);
            } else {
                leaf(box, depth);
            }
        }
    }

    private void leaf(Box box, int depth) {
        switch (box.type()) {
            case "ftyp" -> line("major=" + box.fourCc(0) + " brands=" + brands(box));
            case "mvhd" ->
                    line(
                            "created=%d timescale=%d next=%d"
                                    .formatted(box.u64(4), box.u32(20), box.u32(108)));
            case "tkhd" ->
                    line(
                            "flags=%d id=%d volume=%x size=%dx%d"
                                    .formatted(
                                            box.flags(),
                                            box.u32(12),
                                            box.u16(36),
                                            box.u16(76),
                                            box.u16(80)));
            case "mdhd" -> line("timescale=%d language=%x".formatted(box.u32(12), box.u16(20)));
            case "hdlr" -> line(box.fourCc(8));
            case "stsd" -> entries(box, depth);
            case "trex" ->
                    line(
                            "id=%d description=%d flags=%08x"
                                    .formatted(box.u32(4), box.u32(8), box.i32(20)));
            case "mfhd" -> line("sequence=" + box.u32(4));
            case "tfhd" -> line("flags=%06x id=%d".formatted(box.flags(), box.u32(4)));
            case "tfdt" -> line("version=%d time=%d".formatted(box.version(), box.u64(4)));
            case "trun" -> trun(box, depth);
            default -> line(box.payload().byteSize() + " bytes");
        }
    }

    private void entries(Box stsd, int depth) {
        line("entries=" + stsd.u32(4));
        for (Box entry : stsd.children(8)) {
            boolean video =
                    entry.payload().byteSize() > 70 && entry.u16(24) > 0 && entry.u16(16) == 0;
            out.append("  ".repeat(depth + 1)).append(entry.type());
            if (video) {
                line("size=%dx%d".formatted(entry.u16(24), entry.u16(26)));
            } else {
                line("channels=%d rate=%d".formatted(entry.u16(16), entry.u32(24) >> 16));
            }
            for (Box config : entry.children(video ? 78 : 28)) {
                out.append("  ".repeat(depth + 2)).append(config.type());
                line(hex(config));
            }
        }
    }

    private void trun(Box trun, int depth) {
        line(
                "version=%d flags=%06x samples=%d offset=%d"
                        .formatted(trun.version(), trun.flags(), trun.u32(4), trun.u32(8)));
        int flagsBytes = (trun.flags() & 0x400) != 0 ? 4 : 0;
        int offsetBytes = (trun.flags() & 0x800) != 0 ? 4 : 0;
        int stride = 8 + flagsBytes + offsetBytes;
        for (long i = 0; i < trun.u32(4); i++) {
            long at = 12 + i * stride;
            out.append("  ".repeat(depth + 1));
            out.append("duration=%d size=%d".formatted(trun.u32(at), trun.u32(at + 4)));
            if (flagsBytes > 0) {
                out.append(" flags=%08x".formatted(trun.i32(at + 8)));
            }
            if (offsetBytes > 0) {
                out.append(" cts=%d".formatted(trun.i32(at + 8 + flagsBytes)));
            }
            out.append('\n');
        }
    }

    private static String brands(Box ftyp) {
        StringBuilder brands = new StringBuilder();
        for (long at = 8; at < ftyp.payload().byteSize(); at += 4) {
            brands.append(at == 8 ? "" : ",").append(ftyp.fourCc(at));
        }
        return brands.toString();
    }

    private static String hex(Box box) {
        return HexFormat.of()
                .formatHex(box.payload().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
    }

    private void line(String text) {
        out.append(' ').append(text).append('\n');
    }
}
