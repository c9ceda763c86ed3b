package touchline.media.worker;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A root directory with nothing but the paths of a {@link SandboxSpec}, in a mount namespace of its
 * own. Every path keeps its name. The namespaces exist already; the process has all capabilities in
 * them. One thread, used once.
 */
final class SandboxRoot {
    private static final int SYS_CHDIR = 80;
    private static final int SYS_PIVOT_ROOT = 155;
    private static final int SYS_MOUNT = 165;
    private static final int SYS_UMOUNT2 = 166;
    private static final int SYS_MOUNT_SETATTR = 442;

    private static final long MS_NOSUID = 2;
    private static final long MS_NODEV = 4;
    private static final long MS_NOEXEC = 8;
    private static final long MS_BIND = 4_096;
    private static final long MS_REC = 16_384;
    private static final long MS_PRIVATE = 1L << 18;
    private static final long MNT_DETACH = 2;
    private static final long AT_FDCWD = -100;
    private static final long AT_RECURSIVE = 0x8000;
    private static final int ATTRIBUTES_BYTES = 32;

    /** mount_setattr(2) uses the numbers of mount(2) for these. */
    private static final long READ_ONLY = 1;

    /** Folders of programs and libraries; links into /usr on most hosts. */
    private static final List<String> SYSTEM = List.of("/bin", "/sbin", "/lib", "/lib32", "/lib64");

    private final Syscalls kernel;
    private final SandboxSpec spec;
    private final Path root;

    SandboxRoot(Syscalls kernel, SandboxSpec spec) {
        this.kernel = kernel;
        this.spec = spec;
        this.root = spec.mountPoint();
    }

    /** Makes it the root of this process. The current directory is the job folder. */
    void enter() throws IOException {
        long none = kernel.text("none");
        kernel.call("private mounts", SYS_MOUNT, none, kernel.text("/"), 0, MS_REC | MS_PRIVATE, 0);
        mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV, "size=4m,mode=755");
        for (String each : SYSTEM) {
            system(Path.of(each));
        }
        for (Path each : spec.readable()) {
            bind(each, READ_ONLY | MS_NOSUID | MS_NODEV);
        }
        devices();
        processes();
        Files.createDirectories(inside(Path.of("/tmp")));
        for (Path each : spec.writable()) {
            bind(each, MS_NOSUID | MS_NODEV | MS_NOEXEC);
        }
        libraries();
        bind(spec.folder(), MS_NOSUID | MS_NODEV | MS_NOEXEC);
        change();
    }

    private void change() throws IOException {
        long here = kernel.text(".");
        kernel.call("new root", SYS_CHDIR, kernel.text(root.toString()));
        kernel.call("pivot_root", SYS_PIVOT_ROOT, here, here);
        kernel.call("old root", SYS_UMOUNT2, here, MNT_DETACH);
        attributes(Path.of("/"), READ_ONLY, 0);
        kernel.call("job folder", SYS_CHDIR, kernel.text(spec.folder().toString()));
    }

    /** The worker's folder of libraries, with the unpacked ones in it, which it only reads. */
    private void libraries() throws IOException {
        Path folder = spec.libraries().folder();
        bind(folder, MS_NOSUID | MS_NODEV);
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path each : all) {
                Path unpacked = spec.libraries().unpacked().resolve(each.getFileName());
                bind(unpacked, inside(each), READ_ONLY | MS_NOSUID | MS_NODEV);
            }
        }
    }

    private void system(Path path) throws IOException {
        if (Files.isSymbolicLink(path)) {
            Files.createSymbolicLink(inside(path), Files.readSymbolicLink(path));
        } else if (Files.exists(path)) {
            bind(path, READ_ONLY | MS_NOSUID | MS_NODEV);
        }
    }

    private void devices() throws IOException {
        Path shared = inside(Path.of("/dev/shm"));
        Files.createDirectories(shared);
        mount("tmpfs", shared, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=64m,mode=1777");
        for (Path each : spec.devices()) {
            bind(each, MS_NOSUID | MS_NOEXEC);
        }
    }

    /** Hosts that hide parts of /proc, as containers do, allow no other one: then there is none. */
    private void processes() throws IOException {
        Path proc = inside(Path.of("/proc"));
        Files.createDirectories(proc);
        long _ =
                kernel.attempt(
                        SYS_MOUNT,
                        kernel.text("proc"),
                        kernel.text(proc.toString()),
                        kernel.text("proc"),
                        MS_NOSUID | MS_NODEV | MS_NOEXEC,
                        0);
    }

    private void bind(Path path, long attributes) throws IOException {
        bind(path, inside(path), attributes);
    }

    private void bind(Path path, Path target, long attributes) throws IOException {
        if (Files.isDirectory(path)) {
            Files.createDirectories(target);
        } else {
            Files.createDirectories(Objects.requireNonNull(target.getParent()));
            if (!Files.exists(target)) {
                Files.createFile(target);
            }
        }
        kernel.call(
                "bind " + path,
                SYS_MOUNT,
                kernel.text(path.toString()),
                kernel.text(target.toString()),
                0,
                MS_BIND | MS_REC,
                0);
        attributes(target, attributes, AT_RECURSIVE);
    }

    private void attributes(Path path, long attributes, long flags) throws IOException {
        kernel.call(
                "attributes of " + path,
                SYS_MOUNT_SETATTR,
                AT_FDCWD,
                kernel.text(path.toString()),
                flags,
                kernel.words(attributes, 0, 0, 0),
                ATTRIBUTES_BYTES);
    }

    private void mount(String source, Path target, String type, long flags, String options)
            throws IOException {
        kernel.call(
                type + " at " + target,
                SYS_MOUNT,
                kernel.text(source),
                kernel.text(target.toString()),
                kernel.text(type),
                flags,
                kernel.text(options));
    }

    private Path inside(Path path) {
        return root.resolve(Path.of("/").relativize(path));
    }
}
