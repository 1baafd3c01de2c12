// SPDX-License-Identifier: MIT
// A plug-in of clang-tidy: its checks look at declarations of heed alone. Without it they walk through all that the
// standard library, Eigen and GoogleTest declare, where they may report nothing, and take four times as long. clangd
// does the same.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Frontend/FrontendPluginRegistry.h>

#include <memory>
#include <string>
#include <vector>

namespace {

class OursAlone : public clang::ASTConsumer {
  bool HandleTopLevelDecl(clang::DeclGroupRef declarations) override {
    for (clang::Decl* declaration : declarations) {
      const clang::SourceManager& sources = declaration->getASTContext().getSourceManager();
      if (!sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation()))) ours.push_back(declaration);
    }
    return true;
  }
  void HandleTranslationUnit(clang::ASTContext& context) override { context.setTraversalScope(ours); }
  std::vector<clang::Decl*> ours;
};

class Action : public clang::PluginASTAction {
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<OursAlone>();
  }
  bool ParseArgs(const clang::CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<Action> registered("heed-ours-alone", "checks match our declarations alone");

}  // namespace
