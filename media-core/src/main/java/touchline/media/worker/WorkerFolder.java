package touchline.media.worker;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's own folder, which exists as long as its process: {@code job} for files, {@code
 * libraries}, and an empty {@code root}. If the worker runs as a user of its own, this class gives
 * that user the rights it needs. Links are never followed: a compromised worker writes here. Any
 * thread.
 */
final class WorkerFolder {
    /** Reserved by no distribution for a service, and mapped in containers. */
    private static final int FIRST_USER = 65_200;

    private static final int USERS = 256;
    private static final Logger log = LoggerFactory.getLogger(WorkerFolder.class);
    private static final String OWNER = "unix:uid";
    private static final String GROUP = "unix:gid";
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private record Right(PosixFilePermission ofGroup, PosixFilePermission ofOthers) {}

    private static final Right READ =
            new Right(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);
    private static final Right PASS =
            new Right(PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);
    private static final Set<PosixFilePermission> OF_GROUP =
            Set.of(
                    PosixFilePermission.GROUP_READ,
                    PosixFilePermission.GROUP_WRITE,
                    PosixFilePermission.GROUP_EXECUTE);

    private final Path folder;
    private final SandboxSpec.Ids user;
    private final SandboxSpec.Ids server;

    /** Whether the worker sees the folders above its own. */
    private final boolean inside;

    private WorkerFolder(Path folder, SandboxSpec.Ids user, boolean inside) throws IOException {
        this.folder = folder;
        this.user = user;
        this.server = new SandboxSpec.Ids(id(folder, OWNER), id(folder, GROUP));
        this.inside = inside;
    }

    /** Creates the folder below {@code parent}. */
    static WorkerFolder create(Path parent, WorkerSandbox sandbox) throws IOException {
        int number = NUMBERS.incrementAndGet();
        Path folder = Files.createTempDirectory(parent.toAbsolutePath(), "worker-" + number + "-");
        // One group for all: a recording is given to it once. Folders keep workers apart.
        SandboxSpec.Ids user =
                sandbox.ownUser()
                        ? new SandboxSpec.Ids(FIRST_USER + Math.floorMod(number, USERS), FIRST_USER)
                        : SandboxSpec.Ids.OF_SERVER;
        WorkerFolder made = new WorkerFolder(folder, user, !sandbox.confinement().usesNamespaces());
        Files.createDirectory(made.job());
        Files.createDirectory(made.root());
        made.makeLibraries();
        if (user.isOwn()) {
            made.own(made.job());
            made.reach(made.job());
        }
        return made;
    }

    /** For the files of jobs. */
    Path job() {
        return folder.resolve("job");
    }

    /** For the worker's root directory. */
    Path root() {
        return folder.resolve("root");
    }

    /**
     * The folder of unpacked libraries. JavaCPP demands that the worker may write to it, and that
     * no link leads out of it. So where the worker has rights of its own, this is a folder of its
     * own, with the files that the server has unpacked. It only reads those.
     */
    Path libraries() {
        return ownLibraries() ? folder.resolve("libraries") : SandboxPaths.libraries();
    }

    private boolean ownLibraries() {
        return user.isOwn() || !inside;
    }

    private void makeLibraries() throws IOException {
        if (!ownLibraries()) {
            return;
        }
        Path made = Files.createDirectory(libraries());
        Path unpacked = SandboxPaths.libraries();
        if (Files.isDirectory(unpacked)) {
            if (user.isOwn()) {
                readable(unpacked);
            }
            // In a root directory of its own, the folders inside are mounted.
            try (Stream<Path> all = Files.walk(unpacked, inside ? Integer.MAX_VALUE : 1)) {
                for (Path each : all.skip(1).toList()) {
                    Path copy = made.resolve(unpacked.relativize(each).toString());
                    if (Files.isDirectory(each)) {
                        Files.createDirectory(copy);
                        if (user.isOwn()) {
                            own(copy);
                        }
                    } else if (!unpacked.equals(each.getParent())) {
                        Files.createLink(copy, each);
                    }
                }
            }
        }
        if (user.isOwn()) {
            own(made);
        }
    }

    SandboxSpec.Ids user() {
        return user;
    }

    /** Gives the worker's user what the server has put into the job folder. */
    void share() throws IOException {
        if (user.isOwn()) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(job())) {
                for (Path each : all) {
                    own(each);
                }
            }
        }
    }

    /** Gives the worker's user the rights on files outside of its folder. */
    void share(WorkerFiles files) throws IOException {
        if (!user.isOwn()) {
            return;
        }
        for (Path each : files.readable()) {
            readable(each);
            reach(each);
        }
        for (Path each : files.writable()) {
            own(each);
            reach(each);
        }
    }

    /** Lets the worker's group read a file or tree. */
    private void readable(Path path) throws IOException {
        Files.walkFileTree(
                path,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path each, BasicFileAttributes attributes) throws IOException {
                        allow(each, READ, PASS);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path each, BasicFileAttributes attributes)
                            throws IOException {
                        if (attributes.isRegularFile()) {
                            allow(each, READ);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path each, IOException e)
                            throws IOException {
                        if (e instanceof NoSuchFileException) {
                            return FileVisitResult.CONTINUE;
                        }
                        throw e;
                    }
                });
    }

    /**
     * Without a root directory of its own, the worker passes the folders above, up to the one with
     * the folders of all workers. It does not read them.
     */
    private void reach(Path path) throws IOException {
        Path top = Objects.requireNonNull(folder.getParent()).getParent();
        Path above = path.getParent();
        while (inside && top != null && above != null && above.startsWith(top)) {
            allow(above, PASS);
            above = above.getParent();
        }
    }

    /** Where others have the rights, the group needs none. */
    private void allow(Path path, Right... rights) throws IOException {
        Set<PosixFilePermission> permissions =
                Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
        Set<PosixFilePermission> missing = new HashSet<>();
        for (Right each : rights) {
            if (!permissions.contains(each.ofOthers())) {
                missing.add(each.ofGroup());
            }
        }
        if (missing.isEmpty()) {
            return;
        }
        if (id(path, GROUP) != user.group()) {
            Files.setAttribute(path, GROUP, user.group(), LinkOption.NOFOLLOW_LINKS);
            // What another group was allowed is not meant for this one.
            permissions.removeAll(OF_GROUP);
        }
        permissions.addAll(missing);
        Files.setPosixFilePermissions(path, permissions);
    }

    private void own(Path path) throws IOException {
        own(path, user);
    }

    private static void own(Path path, SandboxSpec.Ids owner) throws IOException {
        Files.setAttribute(path, GROUP, owner.group(), LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, OWNER, owner.user(), LinkOption.NOFOLLOW_LINKS);
    }

    private static int id(Path path, String attribute) throws IOException {
        return (int)
                Objects.requireNonNull(
                        Files.getAttribute(path, attribute, LinkOption.NOFOLLOW_LINKS));
    }

    /** Takes back what the worker wrote outside of its folder, after its end. */
    void takeBack(WorkerFiles files) throws IOException {
        for (Path each : files.writable()) {
            takeBack(each);
        }
    }

    private void takeBack(Path path) throws IOException {
        Files.walkFileTree(
                path,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path each, BasicFileAttributes attributes) throws IOException {
                        return taken(each);
                    }

                    @Override
                    public FileVisitResult visitFile(Path each, BasicFileAttributes attributes)
                            throws IOException {
                        if (!attributes.isRegularFile()) {
                            log.warn("{}: removed, since it is no regular file", each);
                            Files.delete(each);
                            return FileVisitResult.CONTINUE;
                        }
                        return taken(each);
                    }

                    private FileVisitResult taken(Path each) throws IOException {
                        if (user.isOwn()) {
                            own(each, server);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    /** Removes everything, after the end of the process. */
    void remove() throws IOException {
        remove(folder);
    }

    /** Removes the files of the last job. */
    void clear() throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(job())) {
            for (Path each : all) {
                remove(each);
            }
        }
    }

    private static void remove(Path path) throws IOException {
        Files.walkFileTree(
                path,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path each, BasicFileAttributes attributes)
                            throws IOException {
                        Files.deleteIfExists(each);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path each, @Nullable IOException e)
                            throws IOException {
                        Files.deleteIfExists(each);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path each, IOException e) {
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
